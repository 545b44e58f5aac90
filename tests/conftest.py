"""On continuous integration, what is skipped counts as failed: else a browser that is missing would go unnoticed."""

import os

import pytest


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("CI") or reporter is None:  # xdist's workers have no reporter
        return
    for report in reporter.stats.get("skipped", ()):
        reporter.write_line(f"skipped, which fails with CI set: {report.nodeid}: {report.longrepr}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
