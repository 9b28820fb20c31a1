package org.murmur.coins.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.message.MessageVerdict.NotValid;
import org.murmur.coins.message.MessageVerdict.Reason;
import org.murmur.coins.message.MessageVerdict.State;
import org.murmur.coins.message.MessageVerdict.Valid;

/** All published vectors of BIP-0322, both ways where the keys are of one of the wallet's types. */
final class MessageVectorsTest {

  /** The scripts of these vectors are not run. */
  private static final Set<String> UNKNOWN = Set.of("p2tr-time-lock", "p2wsh-time-lock");

  private static MessageVerdict verify(JsonNode vector, String signature) {
    return MessageVerifier.of(
            Address.parse(MessageVectors.text(vector, "address")),
            MessageVectors.text(vector, "message"))
        .verify(signature);
  }

  private static List<String> signatures(JsonNode vector) {
    return MessageVectors.list(vector.get("bip322_signatures")).map(JsonNode::asText).toList();
  }

  @Test
  void hashes() {
    List<JsonNode> vectors = MessageVectors.all("tx_hashes");
    assertThat(vectors).hasSize(3);
    for (JsonNode vector : vectors) {
      var message = VirtualTx.bytes(MessageVectors.text(vector, "message"));
      assertThat(VirtualTx.messageHash(message).toHex())
          .isEqualTo(MessageVectors.text(vector, "message_hash"));
      Tx toSpend = VirtualTx.toSpend(message, MessageVectors.script(vector));
      assertThat(toSpend.txid().toDisplay())
          .isEqualTo(MessageVectors.text(vector, "to_spend_tx_hash"));
      assertThat(VirtualTx.toSign(toSpend, VirtualTx.UNSIGNED).txid().toDisplay())
          .isEqualTo(MessageVectors.text(vector, "to_sign_tx_hash"));
    }
  }

  @Test
  void simpleSignaturesAreValid() {
    List<JsonNode> vectors = MessageVectors.all("simple");
    assertThat(vectors).hasSize(8);
    for (JsonNode vector : vectors) {
      assertThat(signatures(vector))
          .isNotEmpty()
          .allSatisfy(
              signature ->
                  assertThat(verify(vector, signature))
                      .as("%s", vector)
                      .isEqualTo(new Valid(MessageFormat.SIMPLE, 0, 0)));
    }
  }

  @Test
  void fullSignaturesAreValidFromATimeOn() {
    List<JsonNode> vectors = MessageVectors.all("full");
    assertThat(vectors).hasSize(10);
    for (JsonNode vector : vectors) {
      MessageVerdict expected =
          UNKNOWN.contains(MessageVectors.text(vector, "type"))
              ? new NotValid(Reason.UNKNOWN_SCRIPT)
              : new Valid(
                  MessageFormat.FULL,
                  vector.get("lock_time").asLong(),
                  vector.get("sequence").asLong());
      assertThat(signatures(vector))
          .isNotEmpty()
          .allSatisfy(
              signature ->
                  assertThat(verify(vector, signature)).as("%s", vector).isEqualTo(expected));
    }
  }

  /** Nobody here can look coins up. */
  @Test
  void proofsOfFundsAreInconclusive() {
    List<JsonNode> vectors = MessageVectors.all("proof_of_funds");
    assertThat(vectors).hasSize(3);
    for (JsonNode vector : vectors) {
      assertThat(signatures(vector))
          .isNotEmpty()
          .allSatisfy(
              signature ->
                  assertThat(verify(vector, signature))
                      .isEqualTo(new NotValid(Reason.PROOF_OF_FUNDS)));
    }
  }

  @Test
  void wrongSignaturesAreInvalid() {
    List<JsonNode> vectors = MessageVectors.all("error");
    assertThat(vectors).hasSize(36);
    for (JsonNode vector : vectors) {
      assertThat(verify(vector, MessageVectors.text(vector, "signature")).state())
          .as("%s", vector)
          .isEqualTo(State.INVALID);
    }
  }

  /** Of two published signatures one has a low R, as ours have. */
  @Test
  void oursAreAmongThePublishedOnes() {
    int compared = 0;
    for (JsonNode vector : MessageVectors.all("simple")) {
      if (MessageVectors.text(vector, "type").matches("p2wpkh|p2tr")) {
        MessageSignature ours = sign(vector, MessageFormat.SIMPLE);
        assertThat(verify(vector, ours.text())).isEqualTo(new Valid(MessageFormat.SIMPLE, 0, 0));
        List<String> published = signatures(vector);
        if (published.size() > 1) {
          assertThat(published).contains(ours.text());
          compared++;
        }
      }
    }
    assertThat(compared).isEqualTo(2);
    int full = 0;
    for (JsonNode vector : MessageVectors.all("full")) {
      if (MessageVectors.text(vector, "type").matches("p2pkh|p2sh-p2wpkh|p2wpkh|p2tr")) {
        String ours = sign(vector, MessageFormat.FULL).text();
        assertThat(verify(vector, ours)).isEqualTo(new Valid(MessageFormat.FULL, 0, 0));
        full++;
      }
    }
    assertThat(full).isEqualTo(4);
  }

  private static MessageSignature sign(JsonNode vector, MessageFormat format) {
    return MessageSignature.sign(
        MessageVectors.text(vector, "message"),
        MessageVectors.script(vector),
        MessageVectors.path(vector),
        MessageVectors.key(vector),
        format);
  }
}
