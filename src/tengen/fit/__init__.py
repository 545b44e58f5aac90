"""Scripts that make the tables which the package ships, from games that it plays itself."""
