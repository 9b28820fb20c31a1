/** What privacy costs in bytes: filtered blocks as they are served, and filters of BIP-0158. */
@NullMarked
package org.murmur.lab.bandwidth;

import org.jspecify.annotations.NullMarked;
