package org.murmur.coins.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.crypto.ECKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.internal.sign.InputSignatures;
import org.murmur.coins.internal.sign.RecoverableSignature;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.coins.message.MessageVerdict.NotValid;
import org.murmur.coins.message.MessageVerdict.Reason;
import org.murmur.coins.message.MessageVerdict.State;
import org.murmur.coins.message.MessageVerdict.Valid;

/** What we sign is valid, and any change of it is not. */
final class MessagePropertyTest {

  private static final Mnemonic WORDS = Mnemonic.parse("abandon ".repeat(11) + "about");
  private static final PrivateKeys KEYS = WordKeys.of(WORDS, "", KeyNetwork.REGTEST);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** An address with its key. */
  private record Own(KeyPath path, Bytes script) {

    static Own of(OutputType type, int index) {
      Descriptor chain =
          Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(type), 0).get(0);
      return new Own(new KeyPath(type, 0, false, index), chain.derive(index).scriptPubKey());
    }

    /** Of its only key. */
    Bytes keyHash() {
      Descriptor chain =
          Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(path.type()), 0).get(0);
      return Scripts.hash160(chain.key(path.index()).orElseThrow().compressed());
    }

    String address() {
      return Address.of(script, KeyNetwork.REGTEST).orElseThrow();
    }

    MessageSignature sign(String message, MessageFormat format) {
      return MessageSignature.sign(message, script, path, KEYS, format);
    }

    MessageVerdict verify(String message, String signature) {
      return MessageVerifier.of(Address.parse(address()), message).verify(signature);
    }
  }

  private String message() {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(80);
    for (int i = 0; i < length; i++) {
      int[] points = {random.nextInt(0x80), 0xe4, 0x6d4b, 0x1f604, ' ', '\n'};
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  private static List<MessageFormat> formats(OutputType type) {
    return Arrays.stream(MessageFormat.values()).filter(format -> format.fits(type)).toList();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSignedIsValidForThisMessageAndAddressOnly(OutputType type) {
    for (MessageFormat format : formats(type)) {
      for (int i = 0; i < 5; i++) {
        Own own = Own.of(type, i);
        String message = message();
        MessageSignature signature = own.sign(message, format);
        assertThat(signature.format()).isEqualTo(format);
        assertThat(own.verify(message, signature.text()))
            .as("seed %d", seed)
            .isEqualTo(new Valid(format, 0, 0));
        assertThat(own.verify(message, " " + signature.text() + "\n").state())
            .isEqualTo(State.VALID);
        assertThat(own.sign(message, format)).isEqualTo(signature);
        for (String other : List.of(message + " ", message + "\n", " " + message, message())) {
          if (!other.equals(message)) {
            assertInvalid(own.verify(other, signature.text()));
          }
        }
        assertInvalid(Own.of(type, i + 1).verify(message, signature.text()));
        for (OutputType another : OutputType.values()) {
          if (another != type) {
            assertInvalid(Own.of(another, i).verify(message, signature.text()));
          }
        }
      }
    }
  }

  private void assertInvalid(MessageVerdict verdict) {
    assertThat(verdict.state()).as("seed %d: %s", seed, verdict).isEqualTo(State.INVALID);
  }

  /**
   * Each character is replaced by another one, dropped and doubled. Of a full signature, lock time,
   * sequence and version are the signer's choice but are signed too.
   */
  @ParameterizedTest
  @EnumSource
  void aChangedSignatureIsNotValid(OutputType type) {
    String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Own own = Own.of(type, 3);
    for (MessageFormat format : formats(type)) {
      String message = message();
      String text = own.sign(message, format).text();
      for (int i = 0; i < text.length(); i++) {
        char other = digits.charAt(random.nextInt(digits.length()));
        String start = text.substring(0, i);
        String end = text.substring(i + 1);
        for (String changed :
            List.of(start + other + end, start + end, start + other + text.charAt(i) + end)) {
          if (!changed.equals(text)
              && !(format == MessageFormat.LEGACY && isOfAnotherType(text, changed))) {
            assertThat(own.verify(message, changed).state())
                .as("seed %d, character %d of %s", seed, i, text)
                .isNotEqualTo(State.VALID);
          }
        }
      }
      String cut = text.substring(0, text.length() - 4);
      assertInvalid(own.verify(message, cut));
    }
  }

  /**
   * Whether only the type of the address in the header differs (BIP-0137: 35 to 42), which says
   * nothing about the key. Found with seed 32371231396655.
   */
  private static boolean isOfAnotherType(String text, String changed) {
    if (changed.length() != text.length()) {
      return false;
    }
    byte[] one = Base64.getDecoder().decode(text);
    byte[] other = Base64.getDecoder().decode(changed);
    int types = other[0] - one[0];
    return one.length == 65
        && types > 0
        && types % 4 == 0
        && Arrays.equals(one, 1, 65, other, 1, 65);
  }

  /** The same body without prefix, as others wrote it. */
  @ParameterizedTest
  @EnumSource
  void aPrefixMayBeMissing(OutputType type) {
    Own own = Own.of(type, 0);
    for (MessageFormat format : formats(type)) {
      String text = own.sign("prefix", format).text().substring(format.prefix().length());
      assertThat(own.verify("prefix", text)).isEqualTo(new Valid(format, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFormatThatDoesNotFitIsRefused(OutputType type) {
    for (MessageFormat format : MessageFormat.values()) {
      if (!format.fits(type)) {
        MessageException.Reason expected =
            format == MessageFormat.LEGACY
                ? MessageException.Reason.LEGACY_NEEDS_P2PKH
                : MessageException.Reason.NEEDS_FULL;
        assertThatThrownBy(() -> Own.of(type, 0).sign("x", format))
            .isInstanceOfSatisfying(
                MessageException.class, e -> assertThat(e.reason()).isEqualTo(expected))
            .hasMessageContaining("full");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theKeyMustGiveTheScript(OutputType type) {
    PrivateKeys others = WordKeys.of(WORDS, "another passphrase", KeyNetwork.REGTEST);
    Own own = Own.of(type, 0);
    for (MessageFormat format : formats(type)) {
      assertThatThrownBy(() -> MessageSignature.sign("x", own.script(), own.path(), others, format))
          .isInstanceOf(MessageException.class)
          .hasMessageContaining("passphrase");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "x\udc00", "\udc00\ud800"})
  void halfACharacterIsNoMessage(String half) {
    Own own = Own.of(OutputType.P2WPKH, 0);
    assertThatThrownBy(() -> own.sign(half, MessageFormat.SIMPLE))
        .isInstanceOf(MessageException.class);
    String other = own.sign("?", MessageFormat.SIMPLE).text();
    assertThatThrownBy(() -> own.verify(half, other)).isInstanceOf(MessageException.class);
  }

  @Test
  void formatsThatDoNotFitTheAddressSayWhatToAskFor() {
    String simple = Own.of(OutputType.P2WPKH, 0).sign("x", MessageFormat.SIMPLE).text();
    assertThat(Own.of(OutputType.P2SH_P2WPKH, 0).verify("x", simple))
        .isEqualTo(new NotValid(Reason.SIMPLE_NEEDS_SEGWIT));
    String legacy = Own.of(OutputType.P2PKH, 0).sign("x", MessageFormat.LEGACY).text();
    assertThat(Own.of(OutputType.P2TR, 0).verify("x", legacy))
        .isEqualTo(new NotValid(Reason.LEGACY_NEEDS_P2PKH));
    assertThat(Own.of(OutputType.P2WPKH, 1).verify("x", legacy))
        .isEqualTo(new NotValid(Reason.LEGACY_NEEDS_P2PKH));
  }

  /**
   * A signature as Electrum, Sparrow and Trezor make it for segwit addresses: with the header of a
   * P2PKH address, or with that of BIP-0137.
   */
  @Test
  void theRightKeyInTheLegacyFormIsInconclusive() {
    for (OutputType type : List.of(OutputType.P2WPKH, OutputType.P2SH_P2WPKH)) {
      Own own = Own.of(type, 1);
      Bytes hash = VirtualTx.legacyHash(VirtualTx.bytes("x"));
      Bytes signature =
          RecoverableSignature.sign(hash, Scripts.keyHash(own.keyHash()), own.path, KEYS)
              .orElseThrow();
      byte[] typed = signature.toArray();
      typed[0] = (byte) (typed[0] + (type == OutputType.P2WPKH ? 8 : 4));
      for (byte[] each : List.of(signature.toArray(), typed)) {
        String text = Base64.getEncoder().encodeToString(each);
        assertThat(own.verify("x", text)).isEqualTo(new NotValid(Reason.LEGACY_OF_SEGWIT));
        assertThat(own.verify("x", text).state()).isEqualTo(State.INCONCLUSIVE);
        assertInvalid(own.verify("y", text));
        assertInvalid(Own.of(type, 2).verify("x", text));
      }
    }
  }

  /** Changes that only a rule about the whole transaction finds: each is signed anew. */
  @Test
  void otherFullTransactionsAreRefused() {
    Own own = Own.of(OutputType.P2TR, 1);
    Tx toSpend = VirtualTx.toSpend(VirtualTx.bytes("x"), own.script());
    assertThat(full(own, toSpend, 0, 0, 0, VirtualTx.OUTPUT))
        .isEqualTo(new Valid(MessageFormat.FULL, 0, 0));
    assertThat(full(own, toSpend, 2, 700_000, 0xffffffff, VirtualTx.OUTPUT))
        .isEqualTo(new Valid(MessageFormat.FULL, 700_000, 0xffffffffL));
    assertThat(full(own, toSpend, 1, 0, 0, VirtualTx.OUTPUT))
        .isEqualTo(new NotValid(Reason.UNKNOWN_VERSION));
    assertThat(full(own, toSpend, 0, 0, 0, new Tx.Output(1, Bytes.ofHex("6a"))))
        .isEqualTo(new NotValid(Reason.OTHER_OUTPUTS));
    assertThat(full(own, toSpend, 0, 0, 0, new Tx.Output(0, Bytes.ofHex("51"))))
        .isEqualTo(new NotValid(Reason.OTHER_OUTPUTS));
    Tx another = VirtualTx.toSpend(VirtualTx.bytes("y"), own.script());
    assertThat(full(own, another, 0, 0, 0, VirtualTx.OUTPUT))
        .isEqualTo(new NotValid(Reason.OTHER_MESSAGE_OR_ADDRESS));
  }

  private static MessageVerdict full(
      Own own, Tx toSpend, int version, int lockTime, int sequence, Tx.Output output) {
    Bytes empty = Bytes.wrap(new byte[] {0});
    Tx unsigned = tx(toSpend, version, lockTime, sequence, output, empty);
    InputSignatures signatures = VirtualTx.signatures(unsigned, own.script());
    Bytes signature = signatures.sign(0, own.path(), KEYS, true).orElseThrow().signature();
    Bytes witness = new ByteWriter().uint8(1).varBytes(signature).toBytes();
    Tx signed = tx(toSpend, version, lockTime, sequence, output, witness);
    String base64 = Base64.getEncoder().encodeToString(signed.raw().toArray());
    return own.verify("x", "ful" + base64);
  }

  private static Tx tx(
      Tx toSpend, int version, int lockTime, int sequence, Tx.Output output, Bytes witness) {
    ByteWriter out = new ByteWriter().int32(version).uint8(0).uint8(1).uint8(1);
    out.bytes(toSpend.outPoint(0).toBytes()).uint8(0).int32(sequence);
    out.uint8(1).int64(output.value()).varBytes(output.script());
    return Tx.parse(out.bytes(witness).int32(lockTime).toBytes());
  }

  @Test
  void scriptsThatAreNotRunAreInconclusive() {
    Own own = Own.of(OutputType.P2TR, 0);
    String annex = simple(new byte[] {2, 1, 5, 1, 0x50});
    assertThat(own.verify("x", annex)).isEqualTo(new NotValid(Reason.UNKNOWN_SCRIPT));
    assertThat(own.verify("x", simple(new byte[] {2, 1, 5, 1, 0x51})))
        .isEqualTo(new NotValid(Reason.OTHER_KEY));
    String future = Address.of(Bytes.ofHex("5202abcd"), KeyNetwork.REGTEST).orElseThrow();
    assertThat(MessageVerifier.of(Address.parse(future), "x").verify(annex))
        .isEqualTo(new NotValid(Reason.UNKNOWN_SCRIPT));
  }

  private static String simple(byte[] witness) {
    return "smp" + Base64.getEncoder().encodeToString(witness);
  }

  /** The script of the published vector with one bit of its proof or script changed is another. */
  @Test
  void anotherScriptOfTaprootIsInvalid() {
    JsonNode vector =
        MessageVectors.all("full").stream()
            .filter(node -> node.get("type").asText().equals("p2tr-time-lock"))
            .findFirst()
            .orElseThrow();
    byte[] body =
        Base64.getDecoder()
            .decode(vector.get("bip322_signatures").get(0).asText().substring("ful".length()));
    Bytes script = Bytes.ofHex(vector.get("witness_script").asText());
    int from = Bytes.wrap(body).toHex().indexOf(script.toHex()) / 2;
    int end = body.length - 4;
    for (int i = from; i < end; i++) {
      // The length of the control block is no part of either.
      if (i != from + script.length()) {
        byte[] changed = body.clone();
        changed[i] ^= 0x01;
        String text = "ful" + Base64.getEncoder().encodeToString(changed);
        MessageVerdict verdict =
            MessageVerifier.of(
                    Address.parse(vector.get("address").asText()), vector.get("message").asText())
                .verify(text);
        assertThat(verdict).as("byte %d", i).isEqualTo(new NotValid(Reason.OTHER_KEY));
      }
    }
  }

  /** Somebody else signs the very transaction of an address with a key of their own. */
  @Test
  void theKeyOfSomebodyElseIsRefused() {
    Own victim = Own.of(OutputType.P2WPKH, 4);
    Tx toSpend = VirtualTx.toSpend(VirtualTx.bytes("x"), victim.script());
    Bytes code = Scripts.keyHash(victim.script().slice(2, 22));
    Bytes nothing = Bytes.wrap(new byte[4]);
    // The message of BIP-0143: version, inputs, sequences, input, script, value, sequence, outputs.
    Bytes message =
        new ByteWriter()
            .int32(0)
            .bytes(twice(toSpend.outPoint(0).toBytes()))
            .bytes(twice(nothing))
            .bytes(toSpend.outPoint(0).toBytes())
            .varBytes(code)
            .int64(0)
            .int32(0)
            .bytes(twice(new ByteWriter().int64(0).varBytes(Bytes.ofHex("6a")).toBytes()))
            .int32(0)
            .int32(1)
            .toBytes();
    Sha256Hash hash = Sha256Hash.wrap(twice(message).toArray());
    ECKey own = ECKey.fromPrivate(KEYS.privateKey(victim.path()));
    assertThat(victim.verify("x", simple(own, hash)).state()).isEqualTo(State.VALID);
    assertThat(victim.verify("x", simple(new ECKey(), hash)))
        .isEqualTo(new NotValid(Reason.OTHER_KEY));
  }

  private static Bytes twice(Bytes data) {
    return Bytes.wrap(DoubleSha256.of(data).toInternal());
  }

  private static String simple(ECKey key, Sha256Hash hash) {
    byte[] der = key.sign(hash).encodeToDER();
    ByteWriter stack = new ByteWriter().uint8(2).uint8(der.length + 1);
    stack.bytes(der, 0, der.length).uint8(1).varBytes(Bytes.wrap(key.getPubKey()));
    return simple(stack.toArray());
  }

  /** Each key signs once, in order, after an empty item. */
  @Test
  void everySignatureOfAMultisigCounts() {
    int multisigs = 0;
    for (JsonNode vector : MessageVectors.all("simple")) {
      if (vector.get("type").asText().startsWith("p2wsh-multisig")) {
        multisigs++;
        String text = vector.get("bip322_signatures").get(0).asText().substring("smp".length());
        List<Bytes> stack = stack(Base64.getDecoder().decode(text));
        assertThat(verdict(vector, stack)).isEqualTo(new Valid(MessageFormat.SIMPLE, 0, 0));
        for (int i = 1; i < stack.size() - 1; i++) {
          for (int j = 0; j < stack.size() - 1; j++) {
            List<Bytes> changed = new ArrayList<>(stack);
            changed.set(i, stack.get(j));
            if (i != j) {
              assertThat(verdict(vector, changed)).isEqualTo(new NotValid(Reason.WRONG_SIGNATURE));
            }
          }
          List<Bytes> fewer = new ArrayList<>(stack);
          fewer.remove(i);
          assertThat(verdict(vector, fewer)).isEqualTo(new NotValid(Reason.NOT_SATISFIED));
        }
        List<Bytes> dummy = new ArrayList<>(stack);
        dummy.set(0, Bytes.wrap(new byte[1]));
        assertThat(verdict(vector, dummy)).isEqualTo(new NotValid(Reason.NOT_SATISFIED));
      }
    }
    assertThat(multisigs).isEqualTo(3);
  }

  private static List<Bytes> stack(byte[] witness) {
    ByteReader in = new ByteReader(witness);
    List<Bytes> items = new ArrayList<>();
    for (int left = in.uint8(); left > 0; left--) {
      items.add(in.varBytes());
    }
    return items;
  }

  private static MessageVerdict verdict(JsonNode vector, List<Bytes> stack) {
    ByteWriter out = new ByteWriter().compactSize(stack.size());
    stack.forEach(out::varBytes);
    return MessageVerifier.of(
            Address.parse(vector.get("address").asText()), vector.get("message").asText())
        .verify(simple(out.toArray()));
  }

  /** A signature with the negative S is the same key's, and malleable. */
  @Test
  void aHighSIsRefused() {
    Own own = Own.of(OutputType.P2WPKH, 2);
    Bytes script = own.script();
    Tx toSign =
        VirtualTx.toSign(VirtualTx.toSpend(VirtualTx.bytes("x"), script), VirtualTx.UNSIGNED);
    InputSignatures.Made made =
        VirtualTx.signatures(toSign, script).sign(0, own.path(), KEYS, true).orElseThrow();
    byte[] der = made.signature().toArray();
    int r = der[3];
    int s = der[5 + r];
    BigInteger order =
        new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);
    byte[] high =
        order.subtract(new BigInteger(1, Arrays.copyOfRange(der, 6 + r, 6 + r + s))).toByteArray();
    ByteWriter changed = new ByteWriter().uint8(0x30).uint8(4 + r + high.length);
    changed.bytes(der, 2, 3 + r - 1).uint8(2).uint8(high.length).bytes(high, 0, high.length);
    Bytes signature = changed.uint8(1).toBytes();
    ByteWriter stack = new ByteWriter().uint8(2).varBytes(signature).varBytes(made.publicKey());
    assertThat(own.verify("x", simple(stack.toArray())))
        .isEqualTo(new NotValid(Reason.WRONG_SIGNATURE));
  }
}
