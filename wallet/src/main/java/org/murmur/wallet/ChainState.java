package org.murmur.wallet;

import java.time.Instant;
import org.murmur.bip37.bytes.Hash256;

/**
 * How far a wallet is, as of its last commit.
 *
 * @param height the height of its best header, 0 for the genesis block
 * @param tip that block's hash
 * @param tipTime that block's time
 * @param completeTo everything of the wallet up to this height is known; below the birthday if
 *     nothing was looked at
 * @param complete whether that is the tip, and the network was asked at all
 * @param seenBy how many different peers served every block that was looked at: of the block seen
 *     by the fewest, how many
 */
public record ChainState(
    int height, Hash256 tip, Instant tipTime, int completeTo, boolean complete, int seenBy) {}
