/// The number of a device in the order of its user's registrations: 1, 2, …, never given twice.
package typealias DeviceNumber = Int
