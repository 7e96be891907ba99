#pragma once

#include <string>
#include <vector>

namespace repose {

/// The name among `known` that `wrong` was most likely meant to be: what others call it ("sphere"
/// for "ball"), else by the fewest letters inserted, left out, changed or swapped, or of which it
/// is a whole word ("a" of "body_a"); empty if none is.
std::string nearest(const std::string& wrong, const std::vector<std::string>& known);

/// What a thing that others call so is called here ("file": "path"); empty where nothing is known.
std::string name_here(const std::string& other);

/// What to say of a wrong name: 'did you mean "x"?', or the names there are.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& known);

}  // namespace repose
