/** The calculator: Bloom filters without a wallet or a network. */
@NullMarked
package org.murmur.cli.filter;

import org.jspecify.annotations.NullMarked;
