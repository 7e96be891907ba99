#pragma once

#include <string>

#include "check_subject.h"

/// What the recording says of its bodies in a frame and neither its scene nor an edit explains: a
/// body that is missing, fixed, light or slippery by the recording's word alone, or a fixed one
/// that stands elsewhere. One sentence; empty: nothing.
std::string unexplained_in(const CheckSubject& subject, int frame);

/// The same of all frames, and that one does not come before the one before it; or of the last
/// frame alone.
std::string unexplained(const CheckSubject& subject, bool all_frames);

/// How the run ended in the recording's own words, where nobody judged that from its poses (balance
/// was not judged, or the word claims none). Empty: it tells nothing more than was judged.
std::string told_of_run(const CheckSubject& subject, const repose::check::Verdict& verdict);
