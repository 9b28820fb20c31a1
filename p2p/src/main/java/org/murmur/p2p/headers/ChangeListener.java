package org.murmur.p2p.headers;

/** A part of the machine that has to look again at what it took for known when that changes. */
public interface ChangeListener {

  /** What was known is no more so. */
  void hear(Change change);
}
