/** Tests of signed messages. */
@org.jspecify.annotations.NullMarked
package org.murmur.coins.message;
