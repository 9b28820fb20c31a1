/** The one failure that an app of this library must know. */
@org.jspecify.annotations.NullMarked
package org.murmur.wallet.failure;
