# The formula for a tap: point url and sha256 at the archive that `make release` writes.
class Fray < Formula
  desc "Language for the fights of old-school role-playing games"
  homepage "https://fray.invalid"
  url "https://fray.invalid/fray-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: ["MIT", "GPL-3.0-or-later"]

  depends_on "bison" => :build
  depends_on "flex" => :build
  depends_on "make" => :build
  depends_on "random123" => :build
  depends_on "xxhash" => :build
  depends_on "jansson"
  depends_on "readline"
  depends_on :linux

  def install
    system "make", "install", "MODE=release", "WERROR=", "PREFIX=#{prefix}"
  end

  test do
    assert_match "fray", shell_output("#{bin}/fray --version")
    system bin/"fray", "new", "The Old Mill"
    system bin/"fray", "test", "the-old-mill.fray"
  end
end
