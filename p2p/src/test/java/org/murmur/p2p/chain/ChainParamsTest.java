package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

/** The facts of the networks, as Core's chainparams and BIP-0094 and BIP-0325 have them. */
class ChainParamsTest {

  @ParameterizedTest
  @CsvSource({
    "mainnet, f9beb4d9, 8333, 1d00ffff,"
        + "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    "testnet3, 0b110907, 18333, 1d00ffff,"
        + "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
    "testnet4, 1c163f28, 48333, 1d00ffff,"
        + "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
    "signet, 0a03cf40, 38333, 1e0377ae,"
        + "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
    "regtest, fabfb5da, 18444, 207fffff,"
        + "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
  })
  void hasItsFacts(String name, String magic, int port, String limitBits, String genesis) {
    ChainParams network = ChainParams.ofName(name);
    assertThat(network.name()).isEqualTo(name).hasToString(network.toString());
    assertThat(new ByteWriter().int32(network.magic()).toBytes().toHex()).isEqualTo(magic);
    assertThat(network.defaultPort()).isEqualTo(port);
    assertThat(Integer.toHexString(network.rules().limitBits())).isEqualTo(limitBits);
    assertThat(network.genesisHash()).isEqualTo(Hash256.ofDisplay(genesis));
    BlockHeader header = BlockHeader.of(network.genesisHeader());
    assertThat(header.hash()).isEqualTo(network.genesisHash());
    assertThat(header.reachesItsTarget()).isTrue();
  }

  @Test
  void hasNoOtherNames() {
    assertThatThrownBy(() -> ChainParams.ofName("testnet"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("testnet4");
    assertThat(ChainParams.all()).extracting(ChainParams::name).doesNotHaveDuplicates().hasSize(5);
  }

  /** BIP-0325 and Core's chainparams: the magic is the beginning of a hash over the challenge. */
  @Test
  void theDefaultSignetsMagicFollowsFromItsChallenge() {
    assertThat(ChainParams.signetMagic(ChainParams.SIGNET_CHALLENGE))
        .isEqualTo(ChainParams.SIGNET.magic());
    assertThat(ChainParams.signet(ChainParams.SIGNET_CHALLENGE)).isSameAs(ChainParams.SIGNET);
    assertThat(ChainParams.SIGNET.challenge()).isEmpty();
  }

  /**
   * The magic that Core's own tests give for the challenge OP_TRUE (feature_signet.py: 54d26fbd).
   */
  @Test
  void aSignetOfOnesOwnHasItsOwnMagic() {
    ChainParams own = ChainParams.signet(Bytes.ofHex("51"));
    assertThat(new ByteWriter().int32(own.magic()).toBytes().toHex()).isEqualTo("54d26fbd");
    assertThat(own.name()).isEqualTo("signet");
    assertThat(own).hasToString("signet 54d26fbd");
    assertThat(own.genesisHash()).isEqualTo(ChainParams.SIGNET.genesisHash());
    assertThat(own.defaultPort()).isEqualTo(ChainParams.SIGNET.defaultPort());
    assertThat(own.rules()).isEqualTo(ChainParams.SIGNET.rules());
    assertThat(own.dnsSeeds()).isEmpty();
    assertThat(own.challenge()).contains(Bytes.ofHex("51"));
    assertThat(Checkpoints.of(own)).isSameAs(Checkpoints.NONE);
  }

  @Test
  void signetsAreDistinguishedByTheirChallenge() {
    ChainParams own = ChainParams.signet(Bytes.ofHex("51"));
    assertThat(own).isEqualTo(ChainParams.signet(Bytes.ofHex("51"))).hasSameHashCodeAs(own);
    assertThat(own)
        .isNotEqualTo(ChainParams.SIGNET)
        .isNotEqualTo(ChainParams.signet(Bytes.ofHex("5151")));
    assertThat(ChainParams.parse(own.text())).isEqualTo(own);
    for (ChainParams network : ChainParams.all()) {
      assertThat(ChainParams.parse(network.text())).isSameAs(network);
    }
    assertThatThrownBy(() -> ChainParams.parse("signet:5"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ChainParams.signet(Bytes.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 10000");
    assertThatThrownBy(() -> ChainParams.signet(Bytes.wrap(new byte[10_001])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void dnsSeedsAreNames() {
    for (ChainParams network : ChainParams.all()) {
      assertThat(network.dnsSeeds())
          .doesNotHaveDuplicates()
          .allMatch(seed -> seed.matches("[a-z0-9-]+([.][a-z0-9-]+)+"), "a host name");
    }
    assertThat(ChainParams.MAINNET.dnsSeeds()).hasSize(8).startsWith("seed.bitcoin.sipa.be");
    assertThat(ChainParams.TESTNET3.dnsSeeds()).hasSize(5);
    assertThat(ChainParams.TESTNET4.dnsSeeds())
        .containsExactly("seed.testnet4.bitcoin.sprovoost.nl", "seed.testnet4.wiz.biz");
    assertThat(ChainParams.SIGNET.dnsSeeds()).hasSize(4);
    assertThat(ChainParams.REGTEST.dnsSeeds()).isEmpty();
  }
}
