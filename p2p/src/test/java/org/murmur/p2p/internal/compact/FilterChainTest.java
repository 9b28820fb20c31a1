package org.murmur.p2p.internal.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.FilterHeaders;

/** The agreed filter headers, and the hashes between them. */
class FilterChainTest {

  private static final int TIP = 2_300;

  private final FilterChain filters = new FilterChain(Map.of());
  private final List<Hash256> hashes = new ArrayList<>();
  private final List<Hash256> headers = new ArrayList<>();

  FilterChainTest() {
    Hash256 header = Hash256.ZERO;
    for (int i = 0; i <= TIP; i++) {
      byte[] hash = new byte[32];
      hash[0] = (byte) i;
      hash[1] = (byte) (i >> 8);
      hashes.add(Hash256.ofInternal(hash));
      header = FilterHeaders.header(hashes.get(i), header);
      headers.add(header);
    }
  }

  private void agree(int... heights) {
    for (int height : heights) {
      filters.agree(height, headers.get(height));
    }
  }

  private boolean take(int from, int to) {
    return filters.take(from, headers.get(from - 1), hashes.subList(from, to + 1));
  }

  @Test
  void hasStretchesThatEndWhereHeadersAreAgreed() {
    agree(1_000, 2_000, TIP);
    assertThat(filters.top()).isEqualTo(TIP);
    assertThat(filters.end(1)).isEqualTo(1_000);
    assertThat(filters.begin(1)).isEqualTo(1);
    assertThat(filters.end(1_000)).isEqualTo(1_000);
    assertThat(filters.begin(1_000)).isEqualTo(1);
    assertThat(filters.begin(1_001)).isEqualTo(1_001);
    assertThat(filters.end(2_001)).isEqualTo(TIP);
    assertThat(filters.end(TIP + 1)).isEqualTo(-1);
  }

  @Test
  void takesOnlyHashesThatLeadToTheAgreedHeader() {
    agree(1_000, 2_000);
    assertThat(take(1, 1_000)).isTrue();
    assertThat(filters.hash(1)).isEqualTo(hashes.get(1));
    assertThat(filters.hash(1_000)).isEqualTo(hashes.get(1_000));
    assertThat(filters.hash(1_001)).isNull();
    List<Hash256> lie = new ArrayList<>(hashes.subList(1_001, 2_001));
    lie.set(7, Hash256.ZERO);
    assertThat(filters.take(1_001, headers.get(1_000), lie)).isFalse();
    assertThat(filters.take(1_001, Hash256.ZERO, hashes.subList(1_001, 2_001))).isFalse();
    assertThat(take(1_001, 1_999)).as("no agreed end").isFalse();
    assertThat(filters.hash(1_500)).isNull();
  }

  @Test
  void forgetsWhatLeftTheChainAndWhatIsDone() {
    agree(1_000, 2_000, TIP);
    assertThat(take(1, 1_000) && take(1_001, 2_000) && take(2_001, TIP)).isTrue();
    filters.cutAbove(2_100);
    assertThat(filters.top()).isEqualTo(2_000);
    assertThat(filters.hash(2_001)).isNull();
    assertThat(filters.hash(2_000)).isEqualTo(hashes.get(2_000));
    filters.forgetBelow(1_001);
    assertThat(filters.hash(1_000)).isNull();
    assertThat(filters.hash(1_001)).isEqualTo(hashes.get(1_001));
  }

  @Test
  void keepsNoEarlierTips() {
    for (int height = 1; height <= TIP; height++) {
      agree(height);
    }
    assertThat(filters.header(1)).isNull();
    assertThat(filters.header(1_999)).isNull();
    assertThat(filters.header(2_000)).isNotNull();
    assertThat(filters.header(2_001)).isNotNull();
    assertThat(filters.end(1)).isEqualTo(1_000);
  }

  /** Nothing binds a peer to hashes that led to a tip of earlier. */
  @Test
  void forgetsHashesThatLeadToAnEarlierTip() {
    agree(1_500);
    assertThat(take(1, 1_500)).isTrue();
    agree(1_000, 2_000);
    assertThat(filters.hash(1)).isNull();
  }

  @Test
  void addsWhatHashesClaimAtAgreedHeights() {
    agree(7, 9);
    Map<Integer, Hash256> claims = new HashMap<>();
    filters.addClaims(claims, 5, headers.get(4), hashes.subList(5, 9));
    assertThat(claims).containsExactly(Map.entry(7, headers.get(7)));
  }
}
