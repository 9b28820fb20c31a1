@NullMarked
package org.murmur.lab.network;

import org.jspecify.annotations.NullMarked;
