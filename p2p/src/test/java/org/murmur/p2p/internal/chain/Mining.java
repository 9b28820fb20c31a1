package org.murmur.p2p.internal.chain;

import java.math.BigInteger;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.wire.Headers;

/** Headers made in tests, with real work at very easy targets. */
final class Mining {

  /** Networks with the rules of the real ones, but a limit that needs 64 hashes. */
  static final ChainParams MAIN_RULES = network("main rules", true, false, false);

  static final ChainParams TEST3_RULES = network("testnet3 rules", true, true, false);
  static final ChainParams TEST4_RULES = network("testnet4 rules", true, true, true);

  private Mining() {}

  /** A header whose hash reaches the target that it names. */
  static BlockHeader mine(Hash256 previous, long salt, long time, int bits) {
    return search(previous, salt, time, bits, true);
  }

  /** A header whose hash is above the target that it names. */
  static BlockHeader mineBadly(Hash256 previous, long salt, long time, int bits) {
    return search(previous, salt, time, bits, false);
  }

  static Headers headers(List<BlockHeader> headers) {
    ByteWriter writer = new ByteWriter(headers.size() * BlockHeader.LENGTH);
    headers.forEach(header -> writer.bytes(header.bytes()));
    return Headers.ofStored(writer.toBytes());
  }

  private static BlockHeader search(
      Hash256 previous, long salt, long time, int bits, boolean good) {
    Target target = Target.ofBits(bits);
    byte[] root = new byte[Hash256.LENGTH];
    LittleEndian.putInt64(root, 0, salt);
    byte[] header =
        BlockHeader.of(1, previous, Hash256.ofInternal(root), time, bits, 0).bytes().toArray();
    DoubleSha256 sha = new DoubleSha256();
    byte[] hash = new byte[Hash256.LENGTH];
    for (int nonce = 0; ; nonce++) {
      LittleEndian.putInt32(header, BlockHeader.NONCE, nonce);
      sha.hash(header, 0, header.length, hash, 0);
      if (target.isReachedBy(hash, 0) == good) {
        return BlockHeader.of(Bytes.of(header));
      }
    }
  }

  private static ChainParams network(
      String name, boolean retargeting, boolean minimumDifficulty, boolean timewarpLimit) {
    ConsensusRules rules =
        new ConsensusRules(
            BigInteger.ONE.shiftLeft(250).subtract(BigInteger.ONE),
            retargeting,
            minimumDifficulty,
            timewarpLimit);
    return new ChainParams(
        name, 1, 1, mine(Hash256.ZERO, 0, 1_000_000_000, rules.limitBits()), rules);
  }
}
