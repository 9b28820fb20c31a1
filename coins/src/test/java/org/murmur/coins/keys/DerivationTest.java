package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bitcoinj.base.Address;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.ScriptType;
import org.bitcoinj.crypto.ChildNumber;
import org.bitcoinj.crypto.DeterministicKey;
import org.bitcoinj.crypto.HDKeyDerivation;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Hex;

/** BIP-0032 in its two forms here, against the published vectors and against bitcoinj. */
class DerivationTest {

  static Stream<JsonNode> seeds() {
    return Vectors.list(Vectors.read("bip32.json").get("derivation"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void followsTheVectors(JsonNode vector) {
    PrivateNode node = PrivateNode.master(Hex.parse(vector.get("seed").asText()));
    String before = "m";
    for (JsonNode step : vector.get("chain")) {
      String path = step.get("path").asText();
      ExtendedKey parent = node.neuter(KeyNetwork.MAINNET);
      if (!path.equals("m")) {
        String last = path.substring(before.length() + 1);
        boolean hardened = last.endsWith("'");
        int number = Integer.parseInt(last.replace("'", ""));
        node = node.child(hardened ? ExtendedKey.HARDENED | number : number);
        if (!hardened) {
          assertThat(parent.child(number).text()).isEqualTo(step.get("xpub").asText());
          ECPoint[] range = parent.children(number, 1);
          assertThat(range[0]).isEqualTo(parent.child(number).point());
        }
      }
      before = path;
      String xpub = step.get("xpub").asText();
      assertThat(node.neuter(KeyNetwork.MAINNET).text()).isEqualTo(xpub);
      assertThat(ExtendedKey.parse(xpub, KeyNetwork.MAINNET).text()).isEqualTo(xpub);
      DeterministicKey xprv =
          DeterministicKey.deserializeB58(step.get("xprv").asText(), BitcoinNetwork.MAINNET);
      assertThat(node.privateKey()).isEqualTo(xprv.getPrivKeyBytes());
    }
  }

  static Stream<JsonNode> invalid() {
    return Vectors.list(Vectors.read("bip32.json").get("invalid"));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesTheInvalidKeys(JsonNode vector) {
    String key = vector.get("key").asText();
    assertThatThrownBy(() -> ExtendedKey.parse(key, KeyNetwork.MAINNET))
        .isInstanceOf(DescriptorException.class);
  }

  @Test
  void givesTheBip49Account() {
    JsonNode bip49 = Vectors.read("bip49.json");
    List<Descriptor> descriptors = account(bip49, KeyNetwork.TEST, "bip49");
    JsonNode first = bip49.get("first_receiving");
    DerivedScript script = descriptors.get(0).derive(0);
    assertThat(script.address()).isEqualTo(first.get("address").asText());
    assertThat(script.scriptPubKey().toHex()).isEqualTo(first.get("script_pubkey").asText());
    assertThat(script.element().toHex()).isEqualTo(first.get("script_hash160").asText());
    assertThat(descriptors.get(0).pathOf(0)).isEqualTo("m/49h/1h/0h/0/0");
    ExtendedKey key = descriptors.get(0).extendedKey().orElseThrow();
    String upub = bip49.get("account").get("upub").asText();
    assertThat(key.slip132(OutputType.P2SH_P2WPKH)).isEqualTo(upub);
    assertThat(key.text()).startsWith("tpub");
    assertThat(ExtendedKey.parse(upub, KeyNetwork.TEST)).isEqualTo(key);
    assertThat(
            PrivateAccount.of(
                    words(bip49), "", KeyNetwork.TEST, descriptors.get(0).scriptType().get(), 0)
                .key(false, 0)
                .getPrivateKeyAsHex())
        .isEqualTo(first.get("private_key").asText());
  }

  @Test
  void givesTheBip84Account() {
    JsonNode bip84 = Vectors.read("bip84.json");
    List<Descriptor> descriptors = account(bip84, KeyNetwork.MAINNET, "bip84");
    assertAddresses(bip84, descriptors);
    ExtendedKey key = descriptors.get(0).extendedKey().orElseThrow();
    assertThat(key.slip132(OutputType.P2WPKH)).isEqualTo(bip84.get("account").get("zpub").asText());
    assertThat(Accounts.ofExtendedKey(key.slip132(keyType("bip84")), KeyNetwork.MAINNET, null))
        .extracting(d -> d.derive(0))
        .isEqualTo(descriptors.stream().map(d -> d.derive(0)).toList());
  }

  @Test
  void givesTheBip86Account() {
    JsonNode bip86 = Vectors.read("bip86.json");
    List<Descriptor> descriptors = account(bip86, KeyNetwork.MAINNET, "bip86");
    assertAddresses(bip86, descriptors);
    assertThat(descriptors.get(0).extendedKey().orElseThrow().text())
        .isEqualTo(bip86.get("account").get("xpub").asText());
    bip86
        .get("addresses")
        .forEach(
            a -> {
              Descriptor single =
                  Descriptor.parse(
                      "tr(" + a.get("internal_key").asText() + ")", KeyNetwork.MAINNET);
              DerivedScript script = single.derive(0);
              assertThat(script.address()).isEqualTo(a.get("address").asText());
              assertThat(script.element().toHex()).isEqualTo(a.get("output_key").asText());
            });
  }

  private static void assertAddresses(JsonNode vectors, List<Descriptor> descriptors) {
    Vectors.list(vectors.get("addresses"))
        .forEach(
            a -> {
              String[] path = a.get("path").asText().split("/", -1);
              int index = Integer.parseInt(path[5]);
              Descriptor chain = descriptors.get(Integer.parseInt(path[4]));
              DerivedScript script = chain.derive(index);
              assertThat(script.address()).isEqualTo(a.get("address").asText());
              assertThat(script.scriptPubKey().toHex()).isEqualTo(a.get("script_pubkey").asText());
              assertThat(chain.pathOf(index)).isEqualTo(a.get("path").asText().replace('\'', 'h'));
              assertThat(chain.change()).isEqualTo(path[4].equals("1"));
              assertThat(chain.derive(0, 300).get(index)).as("in a batch").isEqualTo(script);
            });
  }

  private static Mnemonic words(JsonNode vectors) {
    return Mnemonic.parse(vectors.get("mnemonic").asText());
  }

  private static OutputType keyType(String bip) {
    return OutputType.ofName(bip);
  }

  private static List<Descriptor> account(JsonNode vectors, KeyNetwork network, String bip) {
    return Accounts.descriptors(words(vectors), "", network, List.of(keyType(bip)), 0);
  }

  /** Every script of a whole batch, over random seeds, accounts and ranges. */
  @Property(tries = 12)
  void agreesWithBitcoinj(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] entropy = new byte[16 + random.nextInt(49)];
    random.nextBytes(entropy);
    int account = random.nextInt(1 << 20);
    int chain = random.nextInt(2);
    int from = random.nextInt(Integer.MAX_VALUE - 400);

    PrivateNode mine =
        PrivateNode.master(entropy)
            .child(ExtendedKey.HARDENED | 84)
            .child(ExtendedKey.HARDENED | account);
    DeterministicKey theirs =
        HDKeyDerivation.deriveChildKey(
            HDKeyDerivation.deriveChildKey(
                HDKeyDerivation.createMasterPrivateKey(entropy), new ChildNumber(84, true)),
            new ChildNumber(account, true));
    String xpub = mine.neuter(KeyNetwork.REGTEST).text();
    assertThat(xpub).isEqualTo(theirs.serializePubB58(BitcoinNetwork.REGTEST));

    DeterministicKey parent =
        HDKeyDerivation.deriveChildKey(theirs.dropPrivateBytes(), new ChildNumber(chain, false));
    for (int count : new int[] {3, 160}) {
      assertBatch("wpkh(%s/%d/*)", xpub, chain, from, count, parent, ScriptType.P2WPKH);
      assertBatch("pkh(%s/%d/*)", xpub, chain, from, count, parent, ScriptType.P2PKH);
    }
  }

  private static void assertBatch(
      String format,
      String xpub,
      int chain,
      int from,
      int count,
      DeterministicKey parent,
      ScriptType type) {
    Descriptor descriptor =
        Descriptor.parse(String.format(format, xpub, chain), KeyNetwork.REGTEST);
    List<DerivedScript> batch = descriptor.derive(from, count);
    assertThat(batch).hasSize(count);
    for (int i = 0; i < count; i++) {
      DeterministicKey key =
          HDKeyDerivation.deriveChildKey(parent, new ChildNumber(from + i, false));
      Address address = key.toAddress(type, BitcoinNetwork.REGTEST);
      DerivedScript script = batch.get(i);
      assertThat(script.index()).isEqualTo(from + i);
      assertThat(script.address()).isEqualTo(address.toString());
      assertThat(script.element().toArray()).isEqualTo(key.getPubKeyHash());
      assertThat(script.scriptPubKey().toArray())
          .isEqualTo(org.bitcoinj.script.ScriptBuilder.createOutputScript(address).program());
    }
  }

  @Test
  void signsForTheScriptsItWatches() {
    Mnemonic words = words(Vectors.read("bip84.json"));
    for (OutputType type : OutputType.values()) {
      PrivateAccount keys = PrivateAccount.of(words, "x", KeyNetwork.REGTEST, type, 3);
      List<Descriptor> watched =
          Accounts.descriptors(words, "x", KeyNetwork.REGTEST, List.of(type), 3);
      String hex = keys.key(true, 7).getPublicKeyAsHex();
      Descriptor single = Descriptor.parse(type.wrap(hex), KeyNetwork.REGTEST);
      assertThat(single.derive(0).address()).isEqualTo(watched.get(1).derive(7).address());
      keys.wipe();
      assertThatThrownBy(() -> keys.privateKey(true, 7)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keys.privateKey(false, 0)).isInstanceOf(IllegalStateException.class);
    }
  }
}
