package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.chain.BlockHeader;

class ProofCommandsTest {

  @TestFactory
  List<DynamicTest> realProofsVerify() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode vector : vectors()) {
      tests.add(DynamicTest.dynamicTest(vector.get("name").asText(), () -> verify(vector)));
    }
    assertThat(tests).hasSize(13);
    return tests;
  }

  private static void verify(JsonNode vector) {
    String payload = vector.get("payload").asText();
    JsonNode answer =
        Ran.with()
            .stdin(payload + "\n")
            .murmur("proof", "verify", "-", "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(answer.get("valid").asBoolean()).isTrue();
    assertThat(answer.get("reason").isNull()).isTrue();
    assertThat(answer.get("block").asText()).isEqualTo(vector.get("block_hash").asText());
    List<String> expected = new ArrayList<>();
    vector.get("matched").forEach(match -> expected.add(match.get("txid").asText()));
    List<String> found = new ArrayList<>();
    answer.get("transactions").forEach(txid -> found.add(txid.asText()));
    assertThat(found).isEqualTo(expected);
    assertThat(answer.get("in_chain").isNull()).isTrue();
  }

  private static JsonNode vectors() throws IOException {
    try (InputStream in =
        ProofCommandsTest.class.getResourceAsStream("/vectors/merkleblocks.json")) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in)).get("cases");
    }
  }

  @Test
  void oneWrongByteIsSeen() throws IOException {
    String payload = vectors().get(0).get("payload").asText();
    // The last byte of the first hash: behind the header, the count and the number of hashes.
    int at = 2 * (80 + 4 + 1 + 31);
    String wrong =
        payload.substring(0, at)
            + (payload.charAt(at) == '0' ? '1' : '0')
            + payload.substring(at + 1);
    JsonNode answer = Ran.murmur("proof", "verify", wrong, "--json").exits(ExitCode.FAILED).json();
    assertThat(answer.get("valid").asBoolean()).isFalse();
    assertThat(answer.get("reason").asText()).isEqualTo("wrong_root");
    assertThat(answer.get("transactions")).isEmpty();
  }

  @Test
  void headerWithoutWorkProvesNothing() throws IOException {
    String payload = vectors().get(0).get("payload").asText();
    // The nonce ends the header; another one gives another hash, without proof of work.
    String wrong = payload.substring(0, 152) + "00000000" + payload.substring(160);
    JsonNode answer = Ran.murmur("proof", "verify", wrong, "--json").exits(ExitCode.FAILED).json();
    assertThat(answer.get("valid").asBoolean()).isFalse();
    assertThat(answer.get("reason").asText()).isEqualTo("no_proof_of_work");
  }

  @Test
  void cutShortIsMalformedNotACrash() throws IOException {
    String payload = vectors().get(0).get("payload").asText();
    JsonNode answer =
        Ran.murmur("proof", "verify", payload.substring(0, payload.length() - 2), "--json")
            .exits(ExitCode.FAILED)
            .json();
    assertThat(answer.get("valid").asBoolean()).isFalse();
    assertThat(answer.get("reason").asText()).startsWith("malformed");
    assertThat(answer.get("block").isNull()).isTrue();
  }

  /** Any laptop finds a header for a target that only regtest allows. */
  @Test
  void aTargetEasierThanTheNetworkAllowsProvesNothing() {
    byte[] bytes = new byte[80];
    bytes[0] = 1;
    Hash256 txid = Hash256.ofDisplay("11".repeat(32));
    txid.write(bytes, 36);
    // 207fffff, little-endian.
    System.arraycopy(HexFormat.of().parseHex("ffff7f20"), 0, bytes, 72, 4);
    while (!BlockHeader.of(Bytes.of(bytes)).reachesItsTarget()) {
      bytes[76]++;
    }
    BitSet all = new BitSet();
    all.set(0);
    String proof =
        MerkleBlock.of(Bytes.of(bytes), PartialMerkleTree.build(List.of(txid), all))
            .toPayload()
            .toHex();
    for (String network : List.of("mainnet", "testnet3", "testnet4", "signet")) {
      JsonNode answer =
          Ran.murmur("--network", network, "proof", "verify", proof, "--json")
              .exits(ExitCode.FAILED)
              .json();
      assertThat(answer.get("valid").asBoolean()).as(network).isFalse();
      assertThat(answer.get("reason").asText()).isEqualTo("too_little_work");
      assertThat(answer.get("transactions")).isEmpty();
    }
    Ran.murmur("--network", "regtest", "proof", "verify", proof).exits(ExitCode.DONE);
  }
}
