package org.murmur.p2p.internal.headers;

/** A part of the machine that checks its knowledge again after a change. */
public interface ChangeListener {

  /** Earlier knowledge is no longer valid. */
  void hear(Change change);
}
