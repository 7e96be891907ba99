#include "repose/report/page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/check.h"
#include "repose/report/assets.h"

#include "plot.h"

namespace repose::report {
namespace {

/// A curve in a box of 100 by 30, highest at the top; gaps where a value is not finite.
std::string curve_svg(const std::vector<double>& curve) {
  constexpr double kWidth = 100.0, kHeight = 30.0, kInset = 2.0;
  double low = 0.0, high = 0.0;
  bool any = false;
  for (const double y : curve) {
    if (!std::isfinite(y)) continue;
    low = any ? std::min(low, y) : y;
    high = any ? std::max(high, y) : y;
    any = true;
  }
  if (!any || curve.size() < 2) return {};
  const double span = high > low ? high - low : 1.0;
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool drawn = std::isfinite(curve[i]);
    if (drawn) {
      const double x = kWidth * static_cast<double>(i) / static_cast<double>(curve.size() - 1);
      const double y = kInset + (kHeight - 2.0 * kInset) * (high - curve[i]) / span;
      path += fmt::format("{}{:.2f} {:.2f}", pen_down ? 'L' : 'M', x, y);
    }
    pen_down = drawn;
  }
  return fmt::format(
      R"(<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none"><path d="{}"/></svg>)",
      kWidth, kHeight, path);
}

/// Rows in the order of the column whose head is clicked; a second click turns it round.
constexpr const char* kSort = R"(<script>
for (const head of document.querySelectorAll("table.sortable th")) head.addEventListener("click", () => {
  const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
  const up = head.dataset.up !== "yes";
  for (const other of table.tHead.rows[0].cells) delete other.dataset.up;
  head.dataset.up = up ? "yes" : "no";
  const text = row => row.cells[column].textContent;
  const before = (a, b) => {
    const x = Number(text(a)), y = Number(text(b));
    const both = text(a) !== "" && text(b) !== "" && !Number.isNaN(x) && !Number.isNaN(y);
    return both ? x - y : text(a).localeCompare(text(b));
  };
  body.append(...[...body.rows].sort((a, b) => up ? before(a, b) : before(b, a)));
});
</script>
)";

std::string card_html(const Card& card) {
  const bool linked = !card.link.empty();
  std::string out = linked ? fmt::format(R"(<a class="card" href="{}">)", html_text(card.link))
                           : R"(<div class="card">)";
  if (!card.picture.empty())
    out += fmt::format(R"(<img src="{}" alt="{}" loading="lazy">)", html_text(card.picture),
                       html_text(card.title));
  out += R"(<div class="text">)";
  if (!card.kind.empty()) out += fmt::format(R"(<p class="kind">{}</p>)", html_text(card.kind));
  out += fmt::format("<h3>{}</h3>", html_text(card.title));
  if (!card.about.empty()) out += fmt::format("<p>{}</p>", html_text(card.about));
  out += curve_svg(card.curve);
  if (!card.curve_caption.empty())
    out += fmt::format(R"(<p class="caption">{}</p>)", html_text(card.curve_caption));
  if (!card.outcome.empty())
    out += fmt::format(R"(<p class="outcome {}">{} {}</p>)", card.good ? "good" : "bad",
                       card.good ? "✓" : "✕", html_text(card.outcome));
  return out + (linked ? "</div></a>\n" : "</div></div>\n");
}

/// A background between the pages' own colours of bad and good, thin enough to read on.
std::string shade_style(double share) {
  constexpr double kPercent = 100.0;
  constexpr int kCover = 35;  // percent of the colour over the page
  if (!std::isfinite(share)) return {};
  return fmt::format(
      R"( style="background:color-mix(in srgb,color-mix(in srgb,var(--good) {:.0f}%,var(--bad)) {}%,transparent);padding:7px 8px")",
      kPercent * std::clamp(share, 0.0, 1.0), kCover);
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\0':
        break;
      default:
        out += c;
    }
  }
  return out;
}

Page& Page::lead(std::string_view text) {
  lead_ += fmt::format("<p>{}</p>", html_text(text));
  return *this;
}

Page& Page::section(std::string_view title) {
  if (in_section_) body_ += "</section>\n";
  in_section_ = true;
  body_ += fmt::format("<section><h2>{}</h2>\n", html_text(title));
  return *this;
}

Page& Page::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", html_text(text));
  return *this;
}

Page& Page::hero(const Hero& hero) {
  const std::string moving =
      hero.moving.empty()
          ? std::string()
          : fmt::format(R"-(<source srcset="{}" media="(prefers-reduced-motion: no-preference)">)-",
                        html_text(hero.moving));
  body_ += fmt::format(
      R"(<figure class="hero"><a href="{}"><picture>{}<img src="{}" alt="{}"></picture></a>)"
      "<figcaption>{}</figcaption></figure>\n",
      html_text(hero.link), moving, html_text(hero.picture), html_text(hero.caption),
      html_text(hero.caption));
  return *this;
}

Page& Page::cards(const std::vector<Card>& cards) {
  body_ += "<div class=\"cards\">\n";
  for (const Card& card : cards) body_ += card_html(card);
  body_ += "</div>\n";
  return *this;
}

Page& Page::table(const Table& table) {
  const auto cell = [&](const char* tag, std::size_t column, const std::string& text,
                        const std::string& style = {}) {
    const bool numeric = column < table.numeric.size() && table.numeric[column];
    return fmt::format("<{0}{1}{2}>{3}</{0}>", tag, numeric ? R"( class="number")" : "", style,
                       html_text(text));
  };
  sorts_ = sorts_ || table.sortable;
  body_ += table.sortable ? "<table class=\"sortable\"><thead><tr>" : "<table><thead><tr>";
  for (std::size_t c = 0; c < table.heads.size(); ++c) body_ += cell("th", c, table.heads[c]);
  body_ += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    REPOSE_CHECK(row.size() == table.heads.size());
    body_ += "<tr>";
    const bool linked = r < table.links.size() && !table.links[r].empty() && !row.empty();
    if (linked)
      body_ += fmt::format(R"(<td><a href="{}">{}</a></td>)", html_text(table.links[r]),
                           html_text(row[0]));
    for (std::size_t c = linked ? 1 : 0; c < row.size(); ++c)
      body_ +=
          cell("td", c, row[c], r < table.shades.size() ? shade_style(table.shades[r][c]) : "");
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table>\n";
  return *this;
}

Page& Page::plots(const std::vector<Plot>& plots) {
  body_ += "<div class=\"plots\">\n";
  for (const Plot& plot : plots) body_ += plot_svg(plot);
  body_ += "</div>\n";
  return *this;
}

Result<std::string> Page::html() const {
  const auto style = load_asset("page.css");
  if (!style) return style.error();
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main class=\"sheet\">\n"
      "<header><h1>{0}</h1>{2}</header>\n{3}{4}</main>\n{5}</body>\n</html>\n",
      html_text(title_), *style, lead_, body_, in_section_ ? "</section>\n" : "",
      sorts_ ? kSort : "");
}

}  // namespace repose::report
