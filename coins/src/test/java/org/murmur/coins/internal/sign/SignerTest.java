package org.murmur.coins.internal.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.Payments.Payment;
import org.murmur.coins.internal.sign.SigningException.Reason;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.coins.keys.Vectors;
import org.murmur.regtest.chain.ScriptCheck;
import org.murmur.regtest.chain.TxBuilder;

/** Whole transactions: signed as other software verifies, or refused for the right reason. */
final class SignerTest {

  private static final KeyPath PATH = new KeyPath(OutputType.P2WPKH, 0, false, 3);

  @ParameterizedTest
  @EnumSource
  void signsEachType(OutputType type) {
    Payment payment = payment(type, type);
    try (WordKeys keys = Payments.keys()) {
      Tx signed = payment.sign(keys);
      assertThat(ScriptCheck.objection(signed, payment.outputs())).isNull();
      assertThat(signed.withoutWitness().inputs().get(0).scriptSig().isEmpty())
          .isEqualTo(type == OutputType.P2WPKH || type == OutputType.P2TR);
      assertThat(signed.hasWitness()).isEqualTo(type != OutputType.P2PKH);
      assertThat(payment.sign(keys)).isEqualTo(signed);
    }
  }

  @Test
  void randomMixturesVerifyAndKeepTheEstimate() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (WordKeys keys = Payments.keys()) {
      for (int i = 0; i < 25; i++) {
        Payment payment = Payments.random(random);
        Tx signed = payment.sign(keys);
        assertThat(ScriptCheck.objection(signed, payment.outputs())).as("seed %d", seed).isNull();
        assertThat(signed.outputs()).as("seed %d", seed).isEqualTo(payment.tx().outputs());
        assertThat(signed.lockTime()).as("seed %d", seed).isEqualTo(payment.tx().lockTime());
        // Few signatures are a byte or two shorter than estimated.
        assertThat(100 * signed.weight())
            .as("seed %d", seed)
            .isBetween(96 * payment.estimate(), 100 * payment.estimate());
      }
    }
  }

  /** One key that signs everything: the transaction of the BIP comes out to the last byte. */
  @Test
  void signsTheNestedExampleOfBip143() {
    JsonNode example = SignVectors.read("bip143.json").get("cases").get(1);
    JsonNode input = example.get("inputs").get(0);
    SpentOutput spent =
        new SpentOutput(
            input.get("amount").asLong(),
            Bytes.ofHex(input.get("script_pubkey").asText()),
            new KeyPath(OutputType.P2SH_P2WPKH, 0, false, 0));
    Tx signed =
        Signer.sign(
            SignVectors.tx(example.get("unsigned_tx")),
            List.of(spent),
            path -> SignVectors.bytes(input.get("private_key")),
            4_000);
    assertThat(signed.raw().toHex()).isEqualTo(example.get("signed_tx").asText());
  }

  /** Half of the signatures that such a node first makes have a high R, and are made again. */
  @Test
  void signsAsANodesWalletDoes() {
    JsonNode example = SignVectors.read("node_payment.json");
    List<SpentOutput> spent = new ArrayList<>();
    for (JsonNode input : example.get("inputs")) {
      KeyPath path =
          new KeyPath(
              OutputType.ofName(input.get("type").asText()),
              0,
              input.get("change").asBoolean(),
              input.get("index").asInt());
      Bytes script = Bytes.ofHex(input.get("script").asText());
      spent.add(new SpentOutput(input.get("value").asLong(), script, path));
    }
    Payment payment = new Payment(SignVectors.tx(example.get("unsigned_tx")), spent);
    Mnemonic words = Mnemonic.parse(example.get("words").asText());
    try (WordKeys keys = WordKeys.of(words, "", KeyNetwork.REGTEST)) {
      assertThat(payment.sign(keys).raw().toHex()).isEqualTo(example.get("signed_tx").asText());
    }
  }

  @Test
  void keysOfWordsGiveTheScriptsOfBip86() {
    JsonNode vector = Vectors.read("bip86.json");
    Mnemonic words = Mnemonic.parse(vector.get("mnemonic").asText());
    try (WordKeys keys = WordKeys.of(words, "", KeyNetwork.MAINNET)) {
      for (JsonNode address : vector.get("addresses")) {
        String[] steps = address.get("path").asText().split("/", -1);
        KeyPath path =
            new KeyPath(OutputType.P2TR, 0, steps[4].equals("1"), Integer.parseInt(steps[5]));
        SigningKey internal = SigningKey.of(keys.privateKey(path));
        assertThat(Bytes.of(internal.x()).toHex()).isEqualTo(address.get("internal_key").asText());
        assertThat(SigningKey.of(path, keys).script(OutputType.P2TR).toHex())
            .isEqualTo(address.get("script_pubkey").asText());
      }
    }
  }

  @Test
  void aKeyOfAnotherPlaceIsRefused() {
    Random random = new Random(1);
    List<KeyPath> others =
        List.of(
            new KeyPath(OutputType.P2WPKH, 0, false, 4),
            new KeyPath(OutputType.P2WPKH, 0, true, 3),
            new KeyPath(OutputType.P2WPKH, 1, false, 3),
            new KeyPath(OutputType.P2PKH, 0, false, 3),
            new KeyPath(OutputType.P2TR, 0, false, 3));
    SpentOutput good = Payments.coin(PATH, random);
    for (KeyPath other : others) {
      SpentOutput bad = new SpentOutput(good.value(), good.script(), other);
      assertRefused(Payments.of(List.of(good, bad), random), Reason.SCRIPT_OF_ANOTHER_KEY, 1);
    }
  }

  @Test
  void theSameKeyUnderAnotherTypeIsRefused() {
    Random random = new Random(2);
    SpentOutput coin = Payments.coin(PATH, random);
    try (WordKeys keys = Payments.keys()) {
      for (OutputType type : OutputType.values()) {
        KeyPath path = new KeyPath(type, 0, false, 3);
        SpentOutput spent = new SpentOutput(coin.value(), coin.script(), path);
        Payment payment = Payments.of(List.of(spent), random);
        PrivateKeys one = any -> keys.privateKey(PATH);
        if (type == OutputType.P2WPKH) {
          assertThat(payment.sign(one).hasWitness()).isTrue();
        } else {
          assertRefusal(() -> payment.sign(one), Reason.SCRIPT_OF_ANOTHER_KEY, 0);
        }
      }
    }
  }

  @Test
  void inputsMustMatch() {
    Payment payment = payment(OutputType.P2WPKH, OutputType.P2TR);
    assertRefused(
        new Payment(payment.tx(), payment.spent().subList(0, 1)), Reason.INPUTS_DO_NOT_MATCH, -1);
  }

  @Test
  void inputsMustBeDifferent() {
    Payment payment = payment(OutputType.P2WPKH);
    Tx.Input input = payment.tx().inputs().get(0);
    Tx twice =
        new TxBuilder()
            .spend(input.outPoint())
            .spend(input.outPoint())
            .pay(1_000, payment.spent().get(0).script())
            .build();
    SpentOutput spent = payment.spent().get(0);
    assertRefused(new Payment(twice, List.of(spent, spent)), Reason.SPENT_TWICE, 1);
  }

  @Test
  void aSignedTransactionIsNotSignedAgain() {
    Payment legacy = payment(OutputType.P2PKH);
    Payment segwit = payment(OutputType.P2WPKH);
    try (WordKeys keys = Payments.keys()) {
      assertRefused(new Payment(legacy.sign(keys), legacy.spent()), Reason.ALREADY_SIGNED, 0);
      assertRefused(new Payment(segwit.sign(keys), segwit.spent()), Reason.ALREADY_SIGNED, -1);
    }
  }

  @Test
  void valuesMustBePossible() {
    Payment payment = payment(OutputType.P2WPKH);
    SpentOutput spent = payment.spent().get(0);
    for (long value : new long[] {-1, Tx.MAX_MONEY + 1}) {
      SpentOutput bad = new SpentOutput(value, spent.script(), spent.path());
      assertRefused(new Payment(payment.tx(), List.of(bad)), Reason.VALUE_OUT_OF_RANGE, 0);
      Tx tx = paying(payment, value);
      assertRefused(new Payment(tx, payment.spent()), Reason.VALUE_OUT_OF_RANGE, -1);
    }
    Tx tooMuch = paying(payment, spent.value() + 7);
    assertRefused(new Payment(tooMuch, payment.spent()), Reason.OUTPUTS_EXCEED_INPUTS, -1);
    assertThat(new Payment(paying(payment, spent.value()), payment.spent()).sign(Payments.keys()))
        .satisfies(signed -> assertThat(signed.hasWitness()).isTrue());
  }

  @Test
  void aTransactionAboveItsEstimateIsRefused() {
    Payment payment = payment(OutputType.P2SH_P2WPKH);
    try (WordKeys keys = Payments.keys()) {
      long weight = payment.sign(keys).weight();
      assertThat(Signer.sign(payment.tx(), payment.spent(), keys, weight).weight())
          .isEqualTo(weight);
      assertRefusal(
          () -> Signer.sign(payment.tx(), payment.spent(), keys, weight - 1),
          Reason.HEAVIER_THAN_ESTIMATED,
          -1);
    }
  }

  /** A private key with the point of another one simulates a machine that computes wrongly. */
  @ParameterizedTest
  @EnumSource
  void aWrongSignatureIsNotGivenOut(OutputType type) {
    Payment payment = payment(type);
    InputSignatures signer =
        new InputSignatures(payment.tx(), payment.outputs().stream().map(Optional::of).toList());
    try (WordKeys keys = Payments.keys()) {
      SigningKey one = SigningKey.of(keys.privateKey(PATH));
      SigningKey other = SigningKey.of(keys.privateKey(payment.spent().get(0).path()));
      SigningKey broken = new SigningKey(one.secret(), other.point());
      assertThatThrownBy(() -> signer.signature(0, type, broken, HashType.DEFAULT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("does not verify");
    }
  }

  @Test
  void privateKeysAreOverwritten() {
    Payment payment = payment(OutputType.values());
    SpentOutput last = payment.spent().get(3);
    SpentOutput wrong = new SpentOutput(last.value(), last.script(), PATH);
    List<SpentOutput> spent = new ArrayList<>(payment.spent());
    spent.set(3, wrong);
    List<byte[]> given = new ArrayList<>();
    try (WordKeys keys = Payments.keys()) {
      PrivateKeys remembering =
          path -> {
            given.forEach(key -> assertThat(key).containsOnly(0));
            given.add(keys.privateKey(path));
            return given.get(given.size() - 1);
          };
      assertThat(payment.sign(remembering).hasWitness()).isTrue();
      assertRefusal(
          () -> new Payment(payment.tx(), spent).sign(remembering),
          Reason.SCRIPT_OF_ANOTHER_KEY,
          3);
    }
    assertThat(given).hasSize(8).allSatisfy(key -> assertThat(key).hasSize(32).containsOnly(0));
  }

  @Test
  void closedKeysGiveNoMore() {
    WordKeys keys = Payments.keys();
    byte[] key = keys.privateKey(PATH);
    keys.close();
    assertThatThrownBy(() -> keys.privateKey(PATH)).isInstanceOf(IllegalStateException.class);
    // Returned values stay as they were.
    assertThat(key).isEqualTo(Payments.keys().privateKey(PATH));
  }

  @Test
  void pathsAreChecked() {
    assertThatThrownBy(() -> new KeyPath(OutputType.P2TR, -1, false, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KeyPath(OutputType.P2TR, 0, false, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new KeyPath(OutputType.P2TR, 0, true, 17)).hasToString("p2tr account 0 change 17");
  }

  private static Payment payment(OutputType... types) {
    Random random = new Random(types.length);
    List<SpentOutput> spent = new ArrayList<>();
    for (OutputType type : types) {
      spent.add(Payments.coin(type, random));
    }
    return Payments.of(spent, random);
  }

  private static Tx paying(Payment payment, long value) {
    return new TxBuilder()
        .spend(payment.tx().inputs().get(0).outPoint())
        .pay(value, payment.spent().get(0).script())
        .build();
  }

  private static void assertRefusal(ThrowingCallable signing, Reason reason, int input) {
    assertThatThrownBy(signing)
        .isInstanceOfSatisfying(
            SigningException.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(reason);
              assertThat(refused.input()).isEqualTo(input);
            });
  }

  /** No key is requested unless the fault is in the key. */
  private static void assertRefused(Payment payment, Reason reason, int input) {
    try (WordKeys keys = Payments.keys()) {
      int[] asked = {0};
      assertRefusal(
          () ->
              payment.sign(
                  path -> {
                    asked[0]++;
                    return keys.privateKey(path);
                  }),
          reason,
          input);
      assertThat(asked[0] > 0).isEqualTo(reason == Reason.SCRIPT_OF_ANOTHER_KEY);
    }
  }
}
