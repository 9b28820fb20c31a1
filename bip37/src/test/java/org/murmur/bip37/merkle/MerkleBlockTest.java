package org.murmur.bip37.merkle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.Vectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

class MerkleBlockTest {

  static List<JsonNode> vectors() {
    return Vectors.cases("merkleblocks/merkleblocks.json");
  }

  private static Bytes payload(JsonNode vector) {
    return Bytes.ofHex(vector.get("payload").asText());
  }

  private static MerkleBlock parsed(byte[] payload) {
    return MerkleBlock.parse(Bytes.of(payload));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void provesRealBlocks(JsonNode vector) {
    MerkleBlock block = MerkleBlock.parse(payload(vector));
    assertThat(block.blockHash().toDisplay()).isEqualTo(vector.get("block_hash").asText());
    assertThat(block.merkleRoot().toDisplay()).isEqualTo(vector.get("merkle_root").asText());
    assertThat(block.tree().transactions()).isEqualTo(vector.get("transactions_in_block").asInt());
    assertThat(block.tree().hashes()).hasSize(vector.get("hashes").asInt());
    assertThat(block.tree().flags().toHex()).isEqualTo(vector.get("flag_bytes").asText());
    List<Match> expected = new ArrayList<>();
    for (JsonNode match : vector.get("matched")) {
      expected.add(
          new Match(Hash256.ofDisplay(match.get("txid").asText()), match.get("index").asInt()));
    }
    assertThat(block.verify()).isEqualTo(new Verdict.Proven(expected, false));
    assertThat(block.toPayload()).isEqualTo(payload(vector));
    assertThat(MerkleBlock.of(block.header(), block.tree())).isEqualTo(block);
    assertThat(PartialMerkleTree.parse(block.tree().toBytes())).isEqualTo(block.tree());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void provesOneOfItsMatches(JsonNode vector) {
    MerkleBlock block = MerkleBlock.parse(payload(vector));
    for (JsonNode match : vector.get("matched")) {
      Hash256 txid = Hash256.ofDisplay(match.get("txid").asText());
      Match only = new Match(txid, match.get("index").asInt());
      assertThat(block.only(txid).orElseThrow().verify())
          .isEqualTo(new Verdict.Proven(List.of(only), false));
    }
    assertThat(block.only(Hash256.ZERO)).isEmpty();
    byte[] bytes = payload(vector).toArray();
    bytes[36 + 5] ^= 1;
    assertThat(parsed(bytes).only(Hash256.ZERO)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void refusesAnotherRoot(JsonNode vector) {
    byte[] bytes = payload(vector).toArray();
    bytes[36 + 5] ^= 1;
    assertThat(parsed(bytes).verify()).isEqualTo(new Verdict.Refused(Reason.WRONG_ROOT));
  }

  /** Every bit of every hash counts. */
  @ParameterizedTest
  @MethodSource("vectors")
  void refusesAnyChangedHash(JsonNode vector) {
    byte[] bytes = payload(vector).toArray();
    int from = 84 + (bytes[84] == (byte) 0xfd ? 3 : 1);
    int hashes = vector.get("hashes").asInt();
    for (int i = 0; i < hashes * 32; i += 11) {
      bytes[from + i] ^= (byte) (1 << (i & 7));
      assertThat(parsed(bytes).verify()).isEqualTo(new Verdict.Refused(Reason.WRONG_ROOT));
      bytes[from + i] ^= (byte) (1 << (i & 7));
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void refusesToReadAnyTruncation(JsonNode vector) {
    Bytes whole = payload(vector);
    for (int length = 0; length < whole.length(); length += length < 200 ? 1 : 97) {
      Bytes cut = whole.slice(0, length);
      assertThatThrownBy(() -> MerkleBlock.parse(cut)).isInstanceOf(MalformedException.class);
    }
    byte[] longer = Arrays.copyOf(whole.toArray(), whole.length() + 1);
    assertThatThrownBy(() -> parsed(longer)).isInstanceOf(MalformedException.class);
  }

  @Test
  void readsOutOfAReusedBuffer() {
    Bytes whole = payload(vectors().get(0));
    byte[] buffer = new byte[whole.length() + 10];
    whole.write(buffer, 7);
    MerkleBlock block = MerkleBlock.read(buffer, 7, 7 + whole.length());
    Arrays.fill(buffer, (byte) 0);
    assertThat(block)
        .isEqualTo(MerkleBlock.parse(whole))
        .hasSameHashCodeAs(MerkleBlock.parse(whole));
    assertThat(block.verify()).isInstanceOf(Verdict.Proven.class);
  }

  @Test
  void refusesAHeaderOfAnotherLength() {
    PartialMerkleTree tree = PartialMerkleTree.withoutMatches(1, Hash256.ZERO);
    assertThatThrownBy(() -> MerkleBlock.of(Bytes.wrap(new byte[79]), tree))
        .hasMessageContaining("79");
  }

  /** CVE-2017-12842: 64 bytes are both a transaction and two hashes. */
  @Test
  void holdsA64ByteTransactionForUnproven() {
    // version, 1 input (36 + 1 + 4), 1 output (8 + 1 + script), lock time
    String head =
        "01000000" + "01" + "11".repeat(36) + "00" + "ffffffff" + "01" + "0000000000000000";
    Tx smallest = Tx.parse(Bytes.ofHex(head + "04" + "51".repeat(4) + "00000000"));
    assertThat(smallest.raw().length()).isEqualTo(64);
    assertThat(MerkleBlock.provable(smallest)).isFalse();
    Tx larger = Tx.parse(Bytes.ofHex(head + "05" + "51".repeat(5) + "00000000"));
    assertThat(MerkleBlock.provable(larger)).isTrue();
    // With a witness its size on the wire is another, its stripped size is still 64.
    String segwit =
        "01000000"
            + "0001"
            + "01"
            + "11".repeat(36)
            + "00"
            + "ffffffff"
            + "01"
            + "0000000000000000";
    Tx witness =
        Tx.parse(Bytes.ofHex(segwit + "04" + "51".repeat(4) + "01" + "02abcd" + "00000000"));
    assertThat(witness.raw().length()).isNotEqualTo(64);
    assertThat(MerkleBlock.provable(witness)).isFalse();
  }

  /**
   * CVE-2017-12842: a block holds a transaction of 64 bytes, whose second half is the txid of
   * another one that is in no block. A tree one level deeper than the block's own "proves" it, by
   * every check that Core makes. Two honest leaves that somebody has chosen look the same, so the
   * tree is doubtful and no lie: a sync must take it.
   */
  @Test
  void aTransactionThatPosesAsAnInnerNodeMakesATreeDoubtfulAndNoLie() {
    for (int script = 0; script <= 4; script++) {
      byte[] posing = new byte[64];
      Arrays.fill(posing, (byte) 0x51);
      posing[4] = 1;
      posing[41] = (byte) script;
      posing[46 + script] = 1;
      posing[55 + script] = (byte) (4 - script);
      Tx real = Tx.parse(Bytes.of(posing));
      assertThat(real.strippedSize()).isEqualTo(64);
      Hash256 left = Hash256.read(posing, 0);
      Hash256 fake = Hash256.read(posing, 32);
      Hash256 coinbase = Hash256.ofDisplay("11".repeat(32));
      Hash256 root = MerkleTree.of(List.of(coinbase, real.txid())).root();
      // Depth first: the coinbase's node unopened, then the pair, of which the right one matches.
      PartialMerkleTree tree =
          PartialMerkleTree.of(4, List.of(coinbase, left, fake), Bytes.of(new byte[] {0b10101}));
      byte[] header = new byte[80];
      root.write(header, 36);
      assertThat(MerkleBlock.of(Bytes.of(header), tree).verify())
          .isEqualTo(new Verdict.Proven(List.of(new Match(fake, 3)), true));
    }
  }
}
