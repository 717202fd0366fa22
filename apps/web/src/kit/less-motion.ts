/** Whether whoever sits there asked the system for less motion. */
export const wantsLessMotion = (): boolean => typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches
