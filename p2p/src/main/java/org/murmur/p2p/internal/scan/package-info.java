/**
 * Blocks: which are requested from each peer under which filter, and how the answers are handled.
 *
 * <ul>
 *   <li>{@code ScanPlan}: how blocks are scanned: {@code SharedPlan} (fast), {@code GuardPlan}
 *       (private)
 *   <li>{@code Scanners}: which peers serve filtered blocks, how many may be requested from one,
 *       and who keeps too few. Whole blocks bypass it
 *   <li>{@code SharedFilters}, {@code Planner}, {@code Stripes}: fast; {@code Epochs}, {@code
 *       GuardChoice}: private
 *   <li>{@code ScanPeer}: a peer with its {@code ScanLink} and {@code FilterSession}
 *   <li>{@code BlockScan}, {@code Scanned}: requests filtered blocks and takes the answers; what
 *       was searched in which blocks
 *   <li>{@code WholeBlocks}, {@code Depths}: whole blocks for their readers; proofs of doubtful
 *       depth
 *   <li>{@code CrossChecks}, {@code Settlement}: answers of several peers about a block, and the
 *       whole block that decides
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.scan;

import org.jspecify.annotations.NullMarked;
