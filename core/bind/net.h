// What the bindings of searches and pools that use networks share.
#pragma once

#include <string>

#include "search/net_input.h"

namespace tengen {

inline NetEncoding parse_net_encoding(const std::string& name) {
    std::string known;
    for (const NetEncodingInfo& info : net_encodings) {
        if (info.name == name) return info.encoding;
        known += (known.empty() ? "" : ", ") + std::string(info.name);
    }
    throw GameError("unknown encoding '" + name + "' of a network; the encodings are " + known);
}

}  // namespace tengen
