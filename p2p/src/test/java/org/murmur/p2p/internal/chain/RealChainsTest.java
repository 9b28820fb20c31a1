package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.internal.wire.Headers;

/** The networks' real headers are accepted. */
class RealChainsTest {

  static Stream<HeaderVectors> chainsFromGenesis() {
    return HeaderVectors.all().stream().filter(v -> v.firstHeight() == 0);
  }

  @ParameterizedTest
  @MethodSource("chainsFromGenesis")
  void connectInBatches(HeaderVectors vector) {
    HeaderChain chain = HeaderChain.ofGenesis(vector.network());
    assertThat(chain.tip()).isEqualTo(vector.firstHash());
    assertThat(chain.headerAt(0).bytes()).isEqualTo(vector.headers().header(0));
    int count = vector.headers().count();
    long now = vector.headers().time(count - 1);
    for (int from = 1; from < count; from += 97) {
      int to = Math.min(count, from + 97);
      assertThat(chain.connect(vector.headers().slice(from, to), now))
          .isEqualTo(new Connect.Extended(from - 1, to - from));
    }
    assertThat(chain.height()).isEqualTo(count - 1);
    assertThat(chain.tip()).isEqualTo(vector.lastHash());
    assertThat(chain.work()).isEqualTo(ChainWork.ofHex(vector.facts().get("work").asText()));
    assertThat(chain.headers(0, count)).isEqualTo(vector.headers());
    for (int height = 0; height < count; height++) {
      Hash256 hash = vector.headers().hash(height);
      assertThat(chain.hashAt(height)).isEqualTo(hash);
      assertThat(chain.heightOf(hash)).isEqualTo(height);
    }
  }

  @ParameterizedTest
  @MethodSource("chainsFromGenesis")
  void restoreEqualsTheOriginal(HeaderVectors vector) {
    int count = vector.headers().count();
    Headers stored = vector.headers().slice(1, count);
    HeaderChain chain = HeaderChain.restore(vector.network(), stored);
    assertThat(chain.height()).isEqualTo(count - 1);
    assertThat(chain.tip()).isEqualTo(vector.lastHash());
    assertThat(chain.work()).isEqualTo(ChainWork.ofHex(vector.facts().get("work").asText()));
    assertThat(chain.headers(1, count)).isEqualTo(stored);
    assertThat(chain.connect(stored, 0)).isEqualTo(new Connect.Known());
  }

  @ParameterizedTest
  @MethodSource("chainsFromGenesis")
  void restoreFromRunsAsTheyCame(HeaderVectors vector) {
    int count = vector.headers().count();
    byte[] wire = new byte[count * 81];
    for (int i = 0; i < count; i++) {
      vector.headers().copy(i, wire, i * 81);
    }
    Headers received = Headers.view(wire, 0, 81, count);
    List<Headers> runs = new ArrayList<>();
    for (int from = 1; from < count; from += 333) {
      Headers run = from % 2 == 0 ? received : vector.headers();
      runs.add(run.slice(from, Math.min(count, from + 333)));
    }
    HeaderChain chain = HeaderChain.restore(vector.network(), runs);
    assertThat(chain.tip()).isEqualTo(vector.lastHash());
    assertThat(chain.headers(0, count)).isEqualTo(vector.headers());
  }

  @Test
  void anotherNetworksHeadersAreNotRestored() {
    Headers stored = HeaderVectors.of(ChainParams.SIGNET, 0).headers().slice(1, 100);
    assertThatThrownBy(() -> HeaderChain.restore(ChainParams.REGTEST, stored))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("regtest");
    assertThat(HeaderChain.restore(ChainParams.REGTEST, Headers.NONE).height()).isZero();
  }
}
