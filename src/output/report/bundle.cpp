// The front end inside the program: the files that studio/ was bundled into, byte for byte, taken
// in by the assembler (GCC and Clang alike).
#include "bundle.h"

#ifdef REPOSE_BUNDLE

// NOLINTBEGIN(cppcoreguidelines-macro-usage): names of symbols are made
#define REPOSE_EMBED(name, file)                                    \
  asm(".pushsection .rodata\n"                                      \
      "repose_bundle_" #name ":\n.incbin \"" REPOSE_BUNDLE "/" file \
      "\"\n"                                                        \
      "repose_bundle_" #name                                        \
      "_end:\n.byte 0\n"                                            \
      ".popsection\n");                                             \
  extern "C" const char repose_bundle_##name[], repose_bundle_##name##_end[] /* NOLINT */
#define REPOSE_BYTES(name) \
  std::string_view(repose_bundle_##name, repose_bundle_##name##_end - repose_bundle_##name)
// NOLINTEND(cppcoreguidelines-macro-usage)

REPOSE_EMBED(report_js, "report.js");
REPOSE_EMBED(report_css, "report.css");
REPOSE_EMBED(page_css, "page.css");
REPOSE_EMBED(studio_js, "studio.js");
REPOSE_EMBED(studio_css, "studio.css");

namespace repose::report {

std::optional<std::string_view> bundled(std::string_view name) {
  if (name == "report.js") return REPOSE_BYTES(report_js);
  if (name == "report.css") return REPOSE_BYTES(report_css);
  if (name == "page.css") return REPOSE_BYTES(page_css);
  if (name == "studio.js") return REPOSE_BYTES(studio_js);
  if (name == "studio.css") return REPOSE_BYTES(studio_css);
  return {};
}

}  // namespace repose::report

#else

namespace repose::report {

std::optional<std::string_view> bundled(std::string_view) {
  return {};
}

}  // namespace repose::report

#endif
