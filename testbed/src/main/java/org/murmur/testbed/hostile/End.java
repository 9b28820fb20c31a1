package org.murmur.testbed.hostile;

/** How a sync ends. */
public enum End {
  /** Complete at the honest tip, with every payment of the honest chain and no other. */
  TRUTH,
  /** Never complete. */
  INCOMPLETE,
  /** Complete at a lower tip: no peer could announce a higher one. */
  LOWER_TIP
}
