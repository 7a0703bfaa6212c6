//===- Timeline.cpp -------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A timeline of all ranks as one SVG file: for each rank a lane for the
// program, shaded where it is blocked in a wait, and below it lanes for the
// collectives in flight.
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;

namespace {
constexpr double kLeft = 150, kChartWidth = 1000, kRight = 30;
constexpr double kTop = 64, kLane = 18, kGap = 4, kRankGap = 14;
constexpr double kCharWidth = 6.2;

/// Colours of all_gather, all_reduce, reduce_scatter, broadcast, all_to_all,
/// permute, reduce; the last one is for kinds that are not known here.
constexpr std::array<const char *, 8> kColours = {
    "#4878d0", "#ee854a", "#6acc64", "#956cb4",
    "#d65f5f", "#82c6e2", "#8c613c", "#8c8c8c"};

struct Flight {
  distrtEvent event;
  unsigned lane;
};

/// What one rank did.
struct RankLanes {
  std::vector<Flight> flights;
  std::vector<distrtEvent> waits;
  /// Of a rank with a device: they get a lane, behind the program's.
  std::vector<distrtEvent> kernels;
  unsigned numLanes = 0;

  double getKernelsHeight() const { return kernels.empty() ? 0 : kLane + kGap; }
  double getHeight() const {
    return getKernelsHeight() + (1 + numLanes) * (kLane + kGap);
  }
};

class Timeline {
public:
  Timeline(distrtWorld *world, ArrayRef<RankOutcome> outcomes);
  void write(raw_ostream &os) const;

private:
  void writeAxis(raw_ostream &os, double bottom) const;
  void writeLegend(raw_ostream &os) const;
  void writeRank(raw_ostream &os, int64_t rank, double top) const;
  void writeFlight(raw_ostream &os, const Flight &flight, double top) const;
  double getX(int64_t ns) const { return kLeft + ns * scale; }

  ArrayRef<RankOutcome> outcomes;
  std::vector<RankLanes> ranks;
  int64_t endNs = 1;
  double scale = 1;
};
} // namespace

static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  for (char c : text) {
    // XML has no way to write most control characters.
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      os << ' ';
    else if (static_cast<unsigned char>(c) >= 0x80)
      os << '?';
    else
      llvm::printHTMLEscaped(StringRef(&c, 1), os);
  }
  return escaped;
}

static std::string formatTime(double ns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (ns >= 1e9)
    os << llvm::format("%.4g s", ns / 1e9);
  else if (ns >= 1e6)
    os << llvm::format("%.4g ms", ns / 1e6);
  else if (ns >= 1e3)
    os << llvm::format("%.4g us", ns / 1e3);
  else
    os << llvm::format("%.4g ns", ns);
  return text;
}

static std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f", value);
  return text;
}

/// A rectangle with a tooltip.
static void writeBox(raw_ostream &os, double x, double y, double width,
                     double height, StringRef style, StringRef tip) {
  os << "<rect x=\"" << formatNumber(x) << "\" y=\"" << formatNumber(y)
     << "\" width=\"" << formatNumber(std::max(width, 0.5)) << "\" height=\""
     << formatNumber(height) << "\" " << style << ">";
  if (!tip.empty())
    os << "<title>" << escape(tip) << "</title>";
  os << "</rect>\n";
}

static void writeText(raw_ostream &os, double x, double y, StringRef style,
                      StringRef text) {
  os << "<text x=\"" << formatNumber(x) << "\" y=\"" << formatNumber(y) << "\" "
     << style << ">" << escape(text) << "</text>\n";
}

Timeline::Timeline(distrtWorld *world, ArrayRef<RankOutcome> outcomes)
    : outcomes(outcomes), ranks(outcomes.size()) {
  for (const RankOutcome &outcome : outcomes)
    endNs = std::max(endNs, outcome.endNs);
  int64_t count = distrtWorldNumEvents(world);
  // Per rank: when each lane is free again. Events come by their begin.
  std::vector<std::vector<int64_t>> lanes(outcomes.size());
  for (int64_t index = 0; index < count; ++index) {
    distrtEvent event = {};
    event.structSize = sizeof(event);
    if (distrtWorldEvent(world, index, &event) != DISTRT_OK || event.rank < 0 ||
        event.rank >= static_cast<int64_t>(ranks.size()))
      continue;
    endNs = std::max(endNs, event.endNs);
    RankLanes &rank = ranks[event.rank];
    if (event.kind == DISTRT_EVENT_WAIT) {
      rank.waits.push_back(event);
      continue;
    }
    if (event.kind == DISTRT_EVENT_KERNEL) {
      rank.kernels.push_back(event);
      continue;
    }
    if (event.kind != DISTRT_EVENT_FLIGHT)
      continue;
    auto &free = lanes[event.rank];
    auto lane = llvm::find_if(
        free, [&](int64_t until) { return until <= event.beginNs; });
    if (lane == free.end())
      lane = free.insert(free.end(), 0);
    *lane = std::max(event.beginNs + 1, event.endNs);
    rank.flights.push_back({event, unsigned(lane - free.begin())});
    rank.numLanes = free.size();
  }
  scale = kChartWidth / endNs;
}

/// The smallest of 1, 2, 5 times a power of ten that cuts `ns` into at most
/// twelve pieces.
static double getTickStep(double ns) {
  double power = std::pow(10, std::floor(std::log10(ns / 12)));
  for (double factor : {1, 2, 5, 10})
    if (ns / (power * factor) <= 12)
      return power * factor;
  return power * 10;
}

void Timeline::writeAxis(raw_ostream &os, double bottom) const {
  double step = getTickStep(endNs);
  for (double tick = 0; tick <= endNs; tick += step) {
    std::string x = formatNumber(getX(tick));
    os << "<line x1=\"" << x << "\" y1=\"" << formatNumber(kTop - 6)
       << "\" x2=\"" << x << "\" y2=\"" << formatNumber(bottom)
       << "\" stroke=\"#dddddd\"/>\n";
    writeText(os, getX(tick), kTop - 10,
              "text-anchor=\"middle\" fill=\"#555555\"", formatTime(tick));
  }
}

void Timeline::writeLegend(raw_ostream &os) const {
  double x = kLeft;
  auto entry = [&](StringRef style, StringRef label) {
    writeBox(os, x, 12, 14, 14, style, "");
    writeText(os, x + 20, 23, "fill=\"#222222\"", label);
    x += 44 + label.size() * kCharWidth;
  };
  entry("fill=\"#c9d6c3\"", "program runs");
  entry("fill=\"url(#blocked)\" stroke=\"#b03030\"", "blocked in a wait");
  for (int kind = DISTRT_ALL_GATHER; kind <= DISTRT_REDUCE; ++kind)
    entry((Twine("fill=\"") + kColours[kind] + "\"").str(),
          distrtCollectiveName(kind));
}

void Timeline::writeFlight(raw_ostream &os, const Flight &flight,
                           double top) const {
  const distrtEvent &event = flight.event;
  unsigned colour = event.collective;
  if (colour >= kColours.size())
    colour = kColours.size() - 1;
  std::string name = distrtCollectiveName(event.collective);
  name += " #" + llvm::itostr(event.sequence);
  std::string tip = name + ", " + formatTime(event.endNs - event.beginNs) +
                    ", " + llvm::itostr(event.bytes) + " bytes";
  if (event.group)
    tip += std::string(", group ") + event.group;
  if (event.location)
    tip += std::string(", ") + event.location;
  double x = getX(event.beginNs);
  double width = (event.endNs - event.beginNs) * scale;
  double y = top + (1 + flight.lane) * (kLane + kGap);
  writeBox(os, x, y, width, kLane,
           (Twine("fill=\"") + kColours[colour] + "\" rx=\"2\"").str(), tip);
  if (width > name.size() * kCharWidth + 6)
    writeText(os, x + 4, y + 13, "fill=\"#ffffff\"", name);
}

void Timeline::writeRank(raw_ostream &os, int64_t rank, double top) const {
  const RankOutcome &outcome = outcomes[rank];
  std::string label = "rank " + llvm::itostr(rank);
  if (outcome.status != DISTRT_OK)
    label += " (failed)";
  writeText(os, 10, top + 13, "fill=\"#222222\" font-weight=\"bold\"", label);
  writeBox(os, getX(outcome.beginNs), top,
           (outcome.endNs - outcome.beginNs) * scale, kLane,
           "fill=\"#c9d6c3\" rx=\"2\"",
           label + ": " + formatTime(outcome.endNs - outcome.beginNs));
  for (const distrtEvent &wait : ranks[rank].waits)
    writeBox(os, getX(wait.beginNs), top, (wait.endNs - wait.beginNs) * scale,
             kLane, "fill=\"url(#blocked)\" stroke=\"#b03030\"",
             "blocked " + formatTime(wait.endNs - wait.beginNs) + " in " +
                 distrtCollectiveName(wait.collective) + " #" +
                 llvm::itostr(wait.sequence) +
                 (wait.location ? std::string(", ") + wait.location : ""));
  top += ranks[rank].getKernelsHeight();
  if (!ranks[rank].kernels.empty())
    writeText(os, 10, top + 13, "fill=\"#777777\"", "kernels");
  for (const distrtEvent &kernel : ranks[rank].kernels)
    writeBox(os, getX(kernel.beginNs), top,
             (kernel.endNs - kernel.beginNs) * scale, kLane,
             "fill=\"#7f9f7f\" rx=\"2\"",
             std::string(kernel.group ? kernel.group : "kernel") + ", " +
                 formatTime(kernel.endNs - kernel.beginNs));
  if (ranks[rank].numLanes)
    writeText(os, 10, top + kLane + kGap + 13, "fill=\"#777777\"",
              "collectives");
  for (const Flight &flight : ranks[rank].flights)
    writeFlight(os, flight, top);
}

void Timeline::write(raw_ostream &os) const {
  double bottom = kTop;
  for (const RankLanes &rank : ranks)
    bottom += rank.getHeight() + kRankGap;
  std::string width = formatNumber(kLeft + kChartWidth + kRight);
  std::string height = formatNumber(bottom + 10);
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
     << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << " "
     << height << "\" font-family=\"sans-serif\" font-size=\"11\">\n"
     << "<defs><pattern id=\"blocked\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
        "<rect width=\"6\" height=\"6\" fill=\"#f4d9d9\"/>"
        "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#b03030\" "
        "stroke-width=\"2\"/></pattern></defs>\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  writeLegend(os);
  writeAxis(os, bottom);
  double top = kTop;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    writeRank(os, rank, top);
    top += ranks[rank].getHeight() + kRankGap;
  }
  os << "</svg>\n";
}

llvm::Error run::writeTimeline(distrtWorld *world,
                               ArrayRef<RankOutcome> outcomes, StringRef path) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    Timeline(world, outcomes).write(os);
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return llvm::createStringError("--timeline: cannot write '" + path +
                                   "': " + code.message());
  return llvm::Error::success();
}
