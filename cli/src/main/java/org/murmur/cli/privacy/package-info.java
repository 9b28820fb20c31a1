/** The knowledge of peers about a wallet from its filters, for people and for programs. */
@NullMarked
package org.murmur.cli.privacy;

import org.jspecify.annotations.NullMarked;
