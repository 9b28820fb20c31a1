package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchTargetTest {

  private static final String ZPUB = Vectors.read("bip84.json").get("account").get("zpub").asText();
  private static final String UPUB = Vectors.read("bip49.json").get("account").get("upub").asText();
  private static final String BIP86_XPUB =
      Vectors.read("bip86.json").get("account").get("xpub").asText();

  private static WatchTarget main(String text) {
    return WatchTarget.parse(text, KeyNetwork.MAINNET);
  }

  @Test
  void takesThePrefixAtItsWord() {
    WatchTarget zpub = main(" " + ZPUB + "\n");
    assertThat(zpub.kind()).isEqualTo(WatchTarget.Kind.EXTENDED_KEY);
    assertThat(zpub.descriptors())
        .extracting(d -> d.derive(0).address())
        .containsExactly(
            "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
            "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el");
    assertThat(WatchTarget.parse(UPUB, KeyNetwork.REGTEST).descriptors().get(0).derive(0).address())
        .isEqualTo("2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2");
  }

  @Test
  void takesAPlainKeyForBip84ByDefault() {
    String xpub = ExtendedKey.parse(ZPUB, KeyNetwork.MAINNET).text();
    assertThat(main(xpub)).isEqualTo(main(ZPUB));
    assertThat(
            WatchTarget.parse(BIP86_XPUB, KeyNetwork.MAINNET, OutputType.P2TR)
                .descriptors()
                .get(0)
                .derive(0)
                .address())
        .isEqualTo("bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr");
    assertThatThrownBy(() -> WatchTarget.parse(ZPUB, KeyNetwork.MAINNET, OutputType.P2TR))
        .hasMessage("zpub… is a key for bip84, but bip86 was asked for");
  }

  @Test
  void readsTheScriptTypeFromAnOrigin() {
    WatchTarget target = main("[73c5da0a/86'/0'/0']" + BIP86_XPUB);
    assertThat(target.descriptors())
        .extracting(d -> d.derive(0).address())
        .containsExactly(
            "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
            "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7");
    assertThat(target.descriptors().get(1).pathOf(0)).isEqualTo("m/86h/0h/0h/1/0");
    assertThatThrownBy(() -> main("[73c5da0a/86'")).isInstanceOf(DescriptorException.class);
  }

  @Test
  void readsDescriptorsAndAddresses() {
    WatchTarget descriptor =
        main("wpkh(" + ExtendedKey.parse(ZPUB, KeyNetwork.MAINNET) + "/<0;1>/*)");
    assertThat(descriptor.kind()).isEqualTo(WatchTarget.Kind.DESCRIPTOR);
    assertThat(descriptor.descriptors()).hasSize(2);
    WatchTarget address = main("BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU");
    assertThat(address.kind()).isEqualTo(WatchTarget.Kind.ADDRESS);
    assertThat(address.descriptors())
        .extracting(Descriptor::canonical)
        .singleElement()
        .asString()
        .startsWith("addr(bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu)#");
  }

  @Test
  void namesTheWrongNetwork() {
    assertThatThrownBy(() -> WatchTarget.parse(ZPUB, KeyNetwork.TEST))
        .hasMessage(
            "zpub6rFR… is a key of mainnet, but the wallet is on a test network (testnet3, testnet4"
                + " or signet)");
    assertThatThrownBy(() -> main(UPUB)).hasMessageContaining("but the wallet is on mainnet");
  }

  /** The versions of BIP-0032 and SLIP-0132, on every network that does not use them. */
  @ParameterizedTest
  @CsvSource({
    "xpub, 0488b21e, MAINNET", "ypub, 049d7cb2, MAINNET", "zpub, 04b24746, MAINNET",
    "tpub, 043587cf, TEST", "upub, 044a5262, TEST", "vpub, 045f1cf6, TEST",
  })
  void namesTheWrongNetworkForEveryPairOfPrefixAndNetwork(
      String prefix, String version, KeyNetwork of) {
    byte[] whole = java.util.Arrays.copyOf(org.bitcoinj.base.Base58.decodeChecked(ZPUB), 82);
    ByteBuffer.wrap(whole).putInt(0, Integer.parseUnsignedInt(version, 16));
    byte[] sum = org.bitcoinj.base.Sha256Hash.hashTwice(java.util.Arrays.copyOf(whole, 78));
    System.arraycopy(sum, 0, whole, 78, 4);
    String key = org.bitcoinj.base.Base58.encode(whole);
    assertThat(key).startsWith(prefix);
    for (KeyNetwork network : KeyNetwork.values()) {
      if ((of == KeyNetwork.MAINNET) == (network == KeyNetwork.MAINNET)) {
        assertThat(WatchTarget.parse(key, network).descriptors()).isNotEmpty();
      } else {
        String complaint =
            "is a key of " + of.title() + ", but the wallet is on " + network.title();
        assertThatThrownBy(() -> WatchTarget.parse(key, network)).hasMessageContaining(complaint);
        if (prefix.equals("xpub") || prefix.equals("tpub")) {
          assertThatThrownBy(() -> WatchTarget.parse("wpkh(" + key + "/<0;1>/*)", network))
              .hasMessageContaining(complaint);
        }
      }
    }
  }

  @Test
  void refusesSecretsAndOtherThings() {
    assertThatThrownBy(() -> main("zoo ".repeat(12))).hasMessageContaining("words");
    assertThatThrownBy(() -> main(Vectors.read("bip84.json").get("account").get("zprv").asText()))
        .hasMessageContaining("private extended key (zprv…)");
    assertThatThrownBy(
            () -> main("0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c"))
        .hasMessageContaining("wpkh(0330");
    assertThatThrownBy(() -> main("hello")).isInstanceOf(AddressException.class);
    assertThatThrownBy(() -> main("")).isInstanceOf(AddressException.class);
    for (int length = 4; length < ZPUB.length(); length++) {
      String cut = ZPUB.substring(0, length);
      assertThatThrownBy(() -> main(cut)).hasMessageContaining("mistyped or cut off");
    }
  }

  @Test
  void refusesMultisigPrefixes() {
    // The BIP-0084 key under SLIP-0132's version for multisig P2WSH, 02aa7ed3.
    byte[] bytes = org.bitcoinj.base.Base58.decodeChecked(ZPUB);
    ByteBuffer.wrap(bytes).putInt(0, 0x02aa7ed3);
    byte[] whole = java.util.Arrays.copyOf(bytes, 82);
    System.arraycopy(org.bitcoinj.base.Sha256Hash.hashTwice(bytes), 0, whole, 78, 4);
    String multisig = org.bitcoinj.base.Base58.encode(whole);
    assertThat(multisig).startsWith("Zpub");
    assertThatThrownBy(() -> main(multisig))
        .isInstanceOf(DescriptorException.class)
        .hasMessageContaining("Zpub… is a multisig key");
  }

  @Test
  void readsTheNamesOfScriptTypes() {
    for (OutputType type : OutputType.values()) {
      assertThat(OutputType.ofName(type.bip())).isEqualTo(type);
      assertThat(OutputType.ofName(type.scriptName())).isEqualTo(type);
    }
    assertThat(OutputType.ofName(" BIP49 ")).isEqualTo(OutputType.P2SH_P2WPKH);
    assertThatThrownBy(() -> OutputType.ofName("bip48"))
        .hasMessage("unknown script type 'bip48': expected bip44, bip49, bip84 or bip86");
  }
}
