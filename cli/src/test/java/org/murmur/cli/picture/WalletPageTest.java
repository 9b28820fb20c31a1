package org.murmur.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.overview.CoverageMap.Range;

/** The page as text. */
class WalletPageTest {

  private static final Pattern GAP = Pattern.compile("<rect class=\"gap[ \"]");

  private static long gaps(String html) {
    return GAP.matcher(html).results().count();
  }

  @Test
  void wordsOfPeersAndFilesAreEscaped() {
    String html = Pages.page(3, 3_000, List.of(), Unit.BTC).html();
    assertThat(html).contains("&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt;");
    assertThat(html).contains("<bdi>&lt;b&gt;mine&lt;/b&gt;</bdi>");
    assertThat(html).doesNotContain("<script", "<img", "<b>mine", "\u202e");
  }

  @Test
  void loadsNothingAndForbidsIt() {
    String html = Pages.page(3, 3_000, List.of(), Unit.BTC).html();
    assertThat(html).contains("default-src 'none'").doesNotContain("script-src");
    assertThat(html).doesNotContain("http://", "https://", "@import", "url(http");
    assertThat(Pattern.compile("<[^>]* (src|srcset|xlink:href)=").matcher(html).find()).isFalse();
    assertThat(Pattern.compile("<[^>]* href=\"(?!data:,\")").matcher(html).find()).isFalse();
  }

  @Test
  void aCompleteWalletSaysSo() {
    WalletPage page = Pages.page(3, 3_000, List.of(), Unit.BTC);
    assertThat(page.verdict())
        .isEqualTo(
            "Complete to block 2,999 of 2026-08-01 12:00 UTC, seen by 1 peer."
                + " Balance: 1.23455789 BTC.");
    assertThat(gaps(page.html())).isZero();
  }

  @Test
  void whatIsMissingIsNamed() {
    List<Range> gaps = List.of(new Range(7, 7), new Range(2_000, 2_999));
    WalletPage page = Pages.page(1, 3_000, gaps, Unit.SAT);
    assertThat(page.verdict())
        .isEqualTo(
            "Not complete: 1,001 blocks were not searched for payments (7, 2,000 to 2,999)."
                + " Balance as far as known: 123455789 sat.");
    assertThat(page.html()).contains("<code>murmur sync</code>");
  }

  @Test
  void aGapOfOneBlockIsDrawnAmong900000() {
    String html = Pages.large(654_321, Unit.BTC).html();
    assertThat(gaps(html)).isEqualTo(1);
    assertThat(html)
        .contains("blocks 652,500 to 654,749: 1 of 2,250 blocks not covered by any peer");
  }

  @Test
  void aLargeWalletMakesASmallPage() {
    String html = Pages.large(0, Unit.BTC).html();
    assertThat(html.length()).isLessThan(300_000);
    assertThat(Stream.of(1, 6, 12)).allMatch(i -> html.contains("192.0.2." + i + ":8333"));
    assertThat(html).contains("3 more peers served fewer blocks");
  }

  @Test
  void everyFigureHasWordsForThoseWhoDoNotSeeIt() {
    String html = Pages.page(12, 3_000, List.of(), Unit.BTC).html();
    assertThat(Pattern.compile("<svg ").matcher(html).results().count())
        .isEqualTo(
            Pattern.compile("<svg [^>]*aria-label=\"[^\"]+\"").matcher(html).results().count())
        .isGreaterThan(20);
  }

  @Test
  void aSyncThatFetchedNothingIsNotCounted() {
    String html = Pages.page(1, 100, List.of(), Unit.BTC).html();
    assertThat(html).contains("in the last sync that fetched something").contains(">nothing<");
  }
}
