package org.murmur.coins.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.crypto.HDKeyDerivation;
import org.bouncycastle.util.BigIntegers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.message.MessageVerdict.State;
import org.murmur.coins.message.MessageVerdict.Valid;
import org.murmur.testbed.bitcoind.AddressType;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;

/**
 * A real node with the same words signs what we verify, and verifies what we sign. Knots 29 writes
 * and reads BIP-0322 without prefixes.
 */
@Tag("real-node")
@Timeout(300)
final class MessageRealNodeTest {

  private static final Mnemonic WORDS = Mnemonic.parse("abandon ".repeat(11) + "about");
  private static final List<String> MESSAGES =
      List.of("", "Hello World", "UTF-8: öäü 测试 😄\nsecond line ", "x".repeat(300));

  private static Bitcoind node;
  private static JsonRpc wallet;

  @BeforeAll
  static void start() {
    node = Bitcoind.start();
    String master =
        HDKeyDerivation.createMasterPrivateKey(WORDS.toSeed(""))
            .serializePrivB58(BitcoinNetwork.REGTEST);
    node.rpc().call("createwallet", "same", false, true);
    wallet = node.rpc().wallet("same");
    List<Object> imports = new ArrayList<>();
    for (AddressType type : AddressType.values()) {
      String descriptor = type.descriptor(master, 0);
      String sum = node.rpc().call("getdescriptorinfo", descriptor).get("checksum").asText();
      imports.add(
          Map.of("desc", descriptor + "#" + sum, "timestamp", "now", "range", List.of(0, 5)));
    }
    assertThat(wallet.call("importdescriptors", imports))
        .allSatisfy(result -> assertThat(result.get("success").asBoolean()).isTrue());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @EnumSource
  void theNodeAndWeVerifyEachOther(OutputType type) {
    for (int index = 0; index < 3; index++) {
      Bytes script =
          Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(type), 0)
              .get(0)
              .derive(index)
              .scriptPubKey();
      String address = Address.of(script, KeyNetwork.REGTEST).orElseThrow();
      for (String message : MESSAGES) {
        String theirs = wallet.call("signmessage", address, message).asText();
        MessageFormat format = MessageFormat.usual(type);
        assertThat(MessageVerifier.of(Address.parse(address), message).verify(theirs))
            .as(theirs)
            .isEqualTo(new Valid(format, 0, 0));
        assertThat(MessageVerifier.of(Address.parse(address), message + "!").verify(theirs).state())
            .isEqualTo(State.INVALID);

        String ours = sign(type, index, script, message);
        assertThat(verifies(address, ours, message)).as(ours).isTrue();
        assertThat(verifies(address, ours, message + "!")).isFalse();
        if (type != OutputType.P2TR) {
          // The node's Schnorr signatures say ALL, ours the default.
          assertThat(ours).isEqualTo(theirs);
        }
      }
    }
  }

  /** The same signature with the negative S and the other point: Core takes it, and so do we. */
  @Test
  void aLegacySignatureMayHaveAHighS() {
    Bytes script =
        Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(OutputType.P2PKH), 0)
            .get(0)
            .derive(0)
            .scriptPubKey();
    String address = Address.of(script, KeyNetwork.REGTEST).orElseThrow();
    byte[] low = Base64.getDecoder().decode(sign(OutputType.P2PKH, 0, script, "x"));
    BigInteger s = Secp256k1.ORDER.subtract(new BigInteger(1, Arrays.copyOfRange(low, 33, 65)));
    byte[] high = Arrays.copyOf(low, 33);
    high[0] = (byte) (31 + ((low[0] - 31) ^ 1));
    ByteWriter all = new ByteWriter().bytes(high, 0, high.length);
    byte[] bytes = BigIntegers.asUnsignedByteArray(32, s);
    String text = Base64.getEncoder().encodeToString(all.bytes(bytes, 0, bytes.length).toArray());
    assertThat(verifies(address, text, "x")).isTrue();
    assertThat(MessageVerifier.of(Address.parse(address), "x").verify(text).state())
        .isEqualTo(State.VALID);
  }

  private static boolean verifies(String address, String signature, String message) {
    return node.rpc().call("verifymessage", address, signature, message).asBoolean();
  }

  /** Without the prefix, which the node does not know. */
  private static String sign(OutputType type, int index, Bytes script, String message) {
    MessageFormat format = MessageFormat.usual(type);
    try (WordKeys keys = WordKeys.of(WORDS, "", KeyNetwork.REGTEST)) {
      KeyPath path = new KeyPath(type, 0, false, index);
      String text = MessageSignature.sign(message, script, path, keys, format).text();
      return text.substring(format.prefix().length());
    }
  }
}
