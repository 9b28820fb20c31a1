@org.jspecify.annotations.NullMarked
package org.murmur.wallet.internal.books;
