/** Tests of the commands that pay. */
@NullMarked
package org.murmur.cli.pay;

import org.jspecify.annotations.NullMarked;
