package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Hash256;

/** The facts of the networks, as Core's chainparams and BIP-0094 and BIP-0325 have them. */
class NetworkTest {

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
    Network network = Network.ofName(name);
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
    assertThatThrownBy(() -> Network.ofName("testnet"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("testnet4");
    assertThat(Network.all()).extracting(Network::name).doesNotHaveDuplicates().hasSize(5);
  }
}
