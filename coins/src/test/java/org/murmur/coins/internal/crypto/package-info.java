@org.jspecify.annotations.NullMarked
package org.murmur.coins.internal.crypto;
