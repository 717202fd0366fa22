import { isolate } from './matrix.ts'

isolate('records')
