import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { ref } from '../kit/fields.ts'

/** `register`: 使用登记证; `receipt`: 告知回执 of installing or dismantling; `plate`: 机械铭牌 for the machine itself. */
const paper = z.enum(['register', 'receipt', 'plate'])
export const machinePrint = z.object({ id: ref('spdevice'), paper })
/** The same for several machines, in one archive. */
export const machinesZip = z.object({ ids: zipIds(ref('spdevice')), paper })
