package org.murmur.bip37.merkle;

import java.util.List;

/** What checking a {@code merkleblock} against its own header yields. */
public sealed interface Verdict {

  /**
   * The matches are in the block with this header.
   *
   * @param matches the marked transactions in block order; none if the block holds none
   */
  record Proven(List<Match> matches) implements Verdict {}

  /**
   * The message proves nothing.
   *
   * @param reason the first check it fails
   */
  record Refused(Reason reason) implements Verdict {}
}
