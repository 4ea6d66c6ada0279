// A cursor over a text that knows its line, for the matrix readers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bs::io {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int64_t line() const { return line_; }
  int64_t bytes_left() const { return static_cast<int64_t>(rest_.size()); }

  // The next word of this line, "" at its end. Blanks and, where asked for, commas part words.
  std::string_view word(bool commas = false) {
    skip(commas);
    size_t length = 0;
    while (length < rest_.size() && rest_[length] != '\n' && !is_gap(rest_[length], commas)) ++length;
    return take(length);
  }
  // The next word of this or a later line, "" at the end of the text.
  std::string_view word_anywhere() {
    std::string_view found = word();
    while (found.empty() && next_line()) found = word();
    return found;
  }
  // False at the end of the text.
  bool next_line() {
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return false;
    rest_.remove_prefix(end + 1);
    ++line_;
    return true;
  }
  bool at_line_end() {
    skip(false);
    return rest_.empty() || rest_.front() == '\n';
  }
  bool at_comment() const { return !rest_.empty() && rest_.front() == '%'; }

 private:
  static bool is_gap(char c, bool commas) { return c == ' ' || c == '\t' || c == '\r' || (commas && c == ','); }
  void skip(bool commas) {
    while (!rest_.empty() && is_gap(rest_.front(), commas)) rest_.remove_prefix(1);
  }
  std::string_view take(size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
  int64_t line_ = 1;
};

// The whole word as a number, or nothing. A leading + is allowed, as in Fortran's output.
template <class Number>
std::optional<Number> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

// A word in a message: quoted, cut, without control characters.
inline std::string quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 32)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 32 ? "...'" : "'");
}

}  // namespace bs::io
