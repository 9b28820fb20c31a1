package org.murmur.p2p.internal.chain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A branch: the active chain up to the fork, then side headers. */
final class SideBranch implements Ancestors {

  private final ActiveChain active;
  private final int forkHeight;
  private final List<SideHeader> headers = new ArrayList<>();

  /** The branch that ends in a side header, or in an active one if that is null. */
  SideBranch(ActiveChain active, int activeHeight, @Nullable SideHeader tip) {
    this.active = active;
    for (SideHeader header = tip; header != null; header = header.parent) {
      headers.add(header);
    }
    Collections.reverse(headers);
    forkHeight = headers.isEmpty() ? activeHeight : headers.get(0).height - 1;
  }

  void add(SideHeader header) {
    headers.add(header);
  }

  int forkHeight() {
    return forkHeight;
  }

  int height() {
    return forkHeight + headers.size();
  }

  /** The side headers, the one above the fork first. */
  List<SideHeader> headers() {
    return headers;
  }

  @Nullable SideHeader tip() {
    return headers.isEmpty() ? null : headers.get(headers.size() - 1);
  }

  @Override
  public int lowest() {
    return active.lowest();
  }

  @Override
  public int bits(int height) {
    return height <= forkHeight ? active.bits(height) : headers.get(height - forkHeight - 1).bits();
  }

  @Override
  public long time(int height) {
    return height <= forkHeight ? active.time(height) : headers.get(height - forkHeight - 1).time();
  }
}
