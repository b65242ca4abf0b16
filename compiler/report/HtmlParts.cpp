//===- HtmlParts.cpp - What the page of a report is made of -------------------------------------===//

#include "compiler/report/HtmlParts.h"

namespace vescale::html {

std::string escape(const std::string &text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::vector<std::vector<std::string>> axesOfDims(const std::string &layout) {
  std::vector<std::vector<std::string>> dims;
  // `[{"x", "y":(1)2}, {}], partial = ...`: dims end with the first `]` outside of names.
  bool inName = false, inDim = false;
  std::string name;
  for (char c : layout) {
    if (inName && c != '"') {
      name += c;
    } else if (c == '"') {
      inName = !inName;
      if (!inName && inDim)
        dims.back().push_back(name);
      name.clear();
    } else if (c == '{') {
      inDim = true;
      dims.emplace_back();
    } else if (c == '}') {
      inDim = false;
    } else if (c == ']') {
      break;
    }
  }
  return dims;
}

static constexpr const char *styles = R"css(
:root{color-scheme:light dark;--bg:#fbfaf8;--panel:#fff;--ink:#1d1f24;--dim:#6a6f7a;--line:#e6e3dd;--whole:#efece6;
--k0:#3b6fd4;--k1:#d9822b;--k2:#2f9e77;--k3:#b3478f;--k4:#7a5cd0;--k5:#c9463d;--k6:#2795ad;--k7:#8a8f2a}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--panel:#1c1f25;--ink:#e7e8ea;--dim:#9aa0ab;--line:#2d323b;
--whole:#2a2f38;--k0:#6f9bf0;--k1:#eba458;--k2:#56c79d;--k3:#d87bb8;--k4:#a18cf0;--k5:#ec7a70;--k6:#5cc0d6;--k7:#bcc15a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:2.5rem 1.5rem 5rem;background:var(--bg);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.7rem;margin:0 0 .3rem;letter-spacing:-.01em}h2{font-size:1.15rem;margin:0 0 .8rem}
h3{font-size:1rem;margin:1rem 0 .4rem}header p{margin:0 0 1.5rem;color:var(--dim)}small{color:var(--dim);font-weight:400}
section{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:1.2rem 1.4rem;margin:0 0 1.2rem;
overflow-x:auto}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:.8rem;background:none;border:0;padding:0}
.card{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:.9rem 1.1rem}
.card b{display:block;font-size:1.35rem;font-variant-numeric:tabular-nums}.card span{color:var(--dim);font-size:.85rem}
.bar{display:flex;height:22px;border-radius:7px;overflow:hidden;background:var(--whole)}.bar i{display:block}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;padding:0;margin:.6rem 0 0;font-size:.9rem}
.dot{display:inline-block;width:.7rem;height:.7rem;border-radius:3px;margin-right:.4rem}
.chip{display:inline-block;color:#fff;border-radius:6px;padding:0 .45rem;margin-right:.3rem;font-size:.82rem}
@media (prefers-color-scheme:dark){.chip{color:#14161a}}
table{border-collapse:collapse;width:100%;font-size:.88rem}th{text-align:left;color:var(--dim);font-weight:500}
th,td{padding:.32rem .7rem .32rem 0;border-bottom:1px solid var(--line);vertical-align:top}tr:last-child td{border-bottom:0}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.82rem}
.why{margin:.1rem 0 .2rem;color:var(--dim);font-size:.84rem;max-width:44rem}
details{border-top:1px solid var(--line);padding:.45rem 0}details:first-of-type{border-top:0}
summary{cursor:pointer;font-weight:600}details[open]>summary{margin-bottom:.5rem}svg{display:block}.whole{fill:var(--whole)}
.c0{background:var(--k0)}.c1{background:var(--k1)}.c2{background:var(--k2)}.c3{background:var(--k3)}
.c4{background:var(--k4)}.c5{background:var(--k5)}.c6{background:var(--k6)}.c7{background:var(--k7)}
.f0{fill:var(--k0)}.f1{fill:var(--k1)}.f2{fill:var(--k2)}.f3{fill:var(--k3)}
.f4{fill:var(--k4)}.f5{fill:var(--k5)}.f6{fill:var(--k6)}.f7{fill:var(--k7)}
)css";

std::string document(const std::string &title, const std::string &body) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" +
         escape(title) + "</title><style>" + styles + "</style></head>\n<body>" + body + "</body></html>\n";
}

} // namespace vescale::html
