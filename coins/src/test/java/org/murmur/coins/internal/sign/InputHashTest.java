package org.murmur.coins.internal.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.tx.Tx;

/** Messages and hashes of the BIPs' own examples. */
final class InputHashTest {

  /** Version, two hashes and the outpoint stand before the script code in a message of BIP143. */
  private static final int BEFORE_SCRIPT_CODE = 4 + 32 + 32 + 36;

  @Test
  void segwitMessagesAndHashesAreThoseOfBip143() {
    int signatures = 0;
    for (JsonNode example : SignVectors.list(SignVectors.read("bip143.json").get("cases"))) {
      Tx tx = SignVectors.tx(example.get("unsigned_tx"));
      List<Tx.Output> spent = SignVectors.outputs(example.get("inputs"), "amount", "script_pubkey");
      InputHash hashes = new InputHash(tx, spent);
      for (int i = 0; i < tx.inputs().size(); i++) {
        for (JsonNode signature : signatures(example.get("inputs").get(i))) {
          check(hashes, i, spent.get(i).script(), signature);
          signatures++;
        }
      }
    }
    assertThat(signatures).isEqualTo(14);
  }

  private static void check(InputHash hashes, int index, Bytes script, JsonNode signature) {
    if (!signature.has("preimage")) {
      assertThat(signature.get("kind").asText()).isEqualTo("P2PK");
      assertHash(hashes.legacy(index, script), signature.get("sighash"));
      return;
    }
    HashType type = new HashType(signature.get("sighash_type").asInt());
    ByteReader message = new ByteReader(SignVectors.bytes(signature.get("preimage")));
    message.skip(BEFORE_SCRIPT_CODE);
    Bytes scriptCode = message.varBytes();
    assertThat(hashes.segwitMessage(index, scriptCode, type).toBytes().toHex())
        .isEqualTo(signature.get("preimage").asText());
    assertHash(hashes.segwit(index, scriptCode, type), signature.get("sighash"));
  }

  /** An input with one key has its fields itself, others have a list. */
  private static List<JsonNode> signatures(JsonNode input) {
    List<JsonNode> all = new ArrayList<>();
    if (input.has("signatures")) {
      all.addAll(SignVectors.list(input.get("signatures")));
    } else {
      all.add(input);
    }
    return all;
  }

  @Test
  void taprootMessagesAndHashesAreThoseOfBip341() {
    JsonNode spending = SignVectors.read("bip341.json").get("keyPathSpending").get(0);
    JsonNode given = spending.get("given");
    InputHash hashes =
        new InputHash(
            SignVectors.tx(given.get("rawUnsignedTx")),
            SignVectors.outputs(given.get("utxosSpent"), "amountSats", "scriptPubKey"));
    List<JsonNode> inputs = SignVectors.list(spending.get("inputSpending"));
    assertThat(inputs).hasSize(7);
    for (JsonNode input : inputs) {
      int index = input.get("given").get("txinIndex").asInt();
      HashType type = new HashType(input.get("given").get("hashType").asInt());
      JsonNode expected = input.get("intermediary");
      assertThat(hashes.taprootMessage(index, type).toBytes().toHex())
          .isEqualTo(expected.get("sigMsg").asText());
      assertHash(hashes.taproot(index, type), expected.get("sigHash"));
    }
  }

  @Test
  void sharedHashesAreThoseOfBip341() {
    JsonNode spending = SignVectors.read("bip341.json").get("keyPathSpending").get(0);
    JsonNode given = spending.get("given");
    CommonHashes common =
        CommonHashes.of(
            SignVectors.tx(given.get("rawUnsignedTx")),
            SignVectors.outputs(given.get("utxosSpent"), "amountSats", "scriptPubKey"));
    JsonNode expected = spending.get("intermediary");
    assertHash(common.outPoints(), expected.get("hashPrevouts"));
    assertHash(common.values(), expected.get("hashAmounts"));
    assertHash(common.scripts(), expected.get("hashScriptPubkeys"));
    assertHash(common.sequences(), expected.get("hashSequences"));
    assertHash(common.outputs(), expected.get("hashOutputs"));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4, 0x7f, 0x80, 0x84, 0x101})
  void unknownHashTypesAreRefused(int code) {
    assertThatThrownBy(() -> new HashType(code)).isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertHash(byte[] hash, JsonNode expected) {
    assertThat(Hex.format(hash)).isEqualTo(expected.asText());
  }
}
