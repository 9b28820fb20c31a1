package org.murmur.testbed.world;

/** Counts the events of a world, over all processes. */
final class WorldCounts {

  private int processes;
  private int crashes;
  private int commits;
  private int claims;
  private long steps;
  private long blocks;

  /** Counts a process; returns its number, from 1. */
  int process() {
    return ++processes;
  }

  void crash() {
    crashes++;
  }

  void commit() {
    commits++;
  }

  void claim() {
    claims++;
  }

  /** Counts an input of a machine; returns how many there were. */
  long step() {
    return ++steps;
  }

  void block() {
    blocks++;
  }

  int processes() {
    return processes;
  }

  int crashes() {
    return crashes;
  }

  int commits() {
    return commits;
  }

  int claims() {
    return claims;
  }

  long steps() {
    return steps;
  }

  long blocks() {
    return blocks;
  }
}
