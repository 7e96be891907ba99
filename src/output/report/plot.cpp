#include "plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace repose::report {
namespace {

// of the drawing, in its own units
constexpr double kWidth = 420.0, kHeight = 260.0;
constexpr double kLeft = 64.0, kRight = 16.0, kTop = 28.0, kBottom = 44.0;

/// One direction of a plot.
class Scale {
 public:
  Scale(const Plot& plot, bool x, double from, double to) : from_(from), to_(to) {
    std::vector<double> values;
    for (const Plot::Point& p : plot.points)
      if (std::isfinite(p.x) && std::isfinite(p.y)) values.push_back(x ? p.x : p.y);
    if (values.empty()) return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    log_ = (x ? plot.log_x : plot.log_y) && *low > 0.0;
    low_ = *low;
    high_ = *high;
    if (!x && !log_) low_ = std::min(0.0, low_);
  }
  double operator()(double value) const {
    const double low = at(low_), high = at(high_);
    const double s = high > low ? (at(value) - low) / (high - low) : 0.5;
    return from_ + s * (to_ - from_);
  }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double at(double value) const { return log_ ? std::log(value) : value; }

  double from_, to_, low_ = 0.0, high_ = 1.0;
  bool log_ = false;
};

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
                     html_text(text));
}

}  // namespace

std::string plot_svg(const Plot& plot) {
  const Scale x(plot, true, kLeft, kWidth - kRight), y(plot, false, kHeight - kBottom, kTop);
  std::string out = fmt::format(
      R"(<svg class="plot" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-size="12" fill="currentColor">)",
      kWidth, kHeight);
  out += fmt::format(
      R"(<path d="M{0} {1}V{2}H{3}" fill="none" stroke="currentColor" stroke-opacity="0.5"/>)",
      kLeft, kTop, kHeight - kBottom, kWidth - kRight);
  for (const Plot::Point& p : plot.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    out += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}" fill-opacity="0.55"/>)",
                       x(p.x), y(p.y), p.good ? "#2f6fb2" : "#c8402b");
  }
  constexpr double kGap = 6.0, kLine = 16.0;
  const double floor = kHeight - kBottom + kLine;
  out += label(kLeft, floor, "start", fmt::format("{:.4g}", x.low()));
  out += label(kWidth - kRight, floor, "end", fmt::format("{:.4g}", x.high()));
  out += label((kLeft + kWidth - kRight) / 2.0, floor + kLine, "middle", plot.x_label);
  out += label(kLeft - kGap, kHeight - kBottom, "end", fmt::format("{:.3g}", y.low()));
  out += label(kLeft - kGap, kTop + kGap, "end", fmt::format("{:.3g}", y.high()));
  out += label(kLeft, kTop - kGap, "start",
               plot.title + (plot.y_label.empty() ? "" : ", " + plot.y_label));
  return out + "</svg>\n";
}

}  // namespace repose::report
