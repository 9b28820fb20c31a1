/** The cost of privacy in bytes: filtered blocks as served, and filters of BIP-0158. */
@NullMarked
package org.murmur.lab.bandwidth;

import org.jspecify.annotations.NullMarked;
