import { isolate } from './matrix.ts'

isolate('machines')
