import { createDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { formOf } from '#kit/form-of.ts'

/** Fields of the device form, for creating and changing a device. */
export const { Field, useValue } = formOf(createDevice, updateDevice)
