import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'

// Only pickers count in dayjs: it comes with the first of them.
dayjs.locale('zh-cn')

export { dayjs }
