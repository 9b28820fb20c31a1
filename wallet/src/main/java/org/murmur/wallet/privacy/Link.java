package org.murmur.wallet.privacy;

import org.murmur.bip37.internal.privacy.Linkability;

/**
 * Whether different filters can be recognised as of one wallet (M12) by the filters alone.
 *
 * @param sameTweak whether two of them have the same tweak, which chance hardly ever causes
 * @param score the overlap of the two that are hardest to link, in standard deviations
 */
public record Link(boolean sameTweak, double score) {

  /** {@return whether they are linked; true by an equal tweak or an overlap beyond chance} */
  public boolean linked() {
    return sameTweak || score > Linkability.LINKED;
  }
}
