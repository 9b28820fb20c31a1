package org.murmur.p2p.internal.scan;

import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.peers.Question;

/** Consecutive blocks requested in one {@code getdata}, and how many are answered. */
final class Chunk {

  // As it was at the request.
  final View view;
  final int from;
  final Question question;
  private final Hash256[] hashes;
  // How many were answered or skipped.
  private int answered;
  // The last height that still counts: a reorganisation lowers it.
  private int validTo;

  Chunk(View view, int from, Hash256[] hashes, Question question) {
    this.view = view;
    this.from = from;
    this.hashes = hashes;
    this.question = question;
    this.validTo = from + hashes.length - 1;
  }

  /** The next height that is owed. */
  int next() {
    return from + answered;
  }

  int size() {
    return hashes.length;
  }

  int left() {
    return hashes.length - answered;
  }

  int validTo() {
    return validTo;
  }

  boolean isDone() {
    return answered == hashes.length;
  }

  /** How many of the remaining blocks come before this one, or -1 if it is not among them. */
  int ahead(Hash256 hash) {
    for (int i = answered; i < hashes.length; i++) {
      if (hashes[i].equals(hash)) {
        return i - answered;
      }
    }
    return -1;
  }

  /** The part that is still to come and counts. */
  Optional<ScanBook.Promise> promise() {
    return next() <= validTo
        ? Optional.of(new ScanBook.Promise(view, next(), validTo))
        : Optional.empty();
  }

  void pass(int blocks) {
    answered += blocks;
  }

  /** Blocks above this height are no longer in the active chain. */
  void cutAbove(int height) {
    validTo = Math.min(validTo, height);
  }
}
